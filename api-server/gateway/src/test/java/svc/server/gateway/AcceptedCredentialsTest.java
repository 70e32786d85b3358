package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import svc.server.gateway.AcceptedCredentials.Owner;

/** However many and however long the tokens that one project signs, it has its share of the memory and no more. */
class AcceptedCredentialsTest {
    private static final long MAX_BYTES = 8 << 20;
    private static final long LATER = 2_000_000_000L;
    private static final Credential ANON = new Credential.AnonKey();

    private final AcceptedCredentials accepted = new AcceptedCredentials(MAX_BYTES);
    private final Owner attacker = new Owner();
    private final Owner neighbour = new Owner();

    @Test
    void manyLongTokensLeaveTheNeighboursAlone() {
        accepted.add(neighbour, "key", ANON, LATER);

        IntStream.range(0, 2_000).forEach(i -> accepted.add(attacker, i + "x".repeat(30_000), ANON, LATER));

        assertThat(attacker.bytes()).isBetween(1L, MAX_BYTES / 8);
        assertThat(accepted.find(neighbour, "key", 0)).contains(ANON);
    }

    @Test
    void whatIsPresentedAgainCountsOnce() {
        IntStream.range(0, 5_000).forEach(i -> accepted.add(attacker, "key", ANON, LATER));

        assertThat(attacker.bytes()).isLessThan(1_000);
        assertThat(accepted.find(attacker, "key", 0)).contains(ANON);
    }

    @Test
    void aCredentialEndsWithItsTimeAndBelongsToItsOwner() {
        accepted.add(attacker, "token", ANON, LATER);

        assertThat(accepted.find(attacker, "token", LATER)).isEmpty();
        assertThat(accepted.find(neighbour, "token", 0)).isEmpty();
    }
}
