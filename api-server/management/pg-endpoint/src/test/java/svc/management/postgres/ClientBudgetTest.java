package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** The budget of statements is the endpoint's own: a project that uses it up waits, and its neighbour does not. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientBudgetTest extends TestBesideNeighbour {
    @Test
    void statementsBeyondTheRateAreRefusedAndANeighboursAreNot() throws Exception {
        try (var slow = new EndpointCopy(Map.of("statementsPerSecond", 1, "turn", Duration.ofMillis(1)));
                WireClient wire = signedIn(slow.port());
                WireClient other = new WireClient(slow.port(), "127.0.0.1")) {
            String error = "";
            int ran = 0;
            while (error.isEmpty() && ran < 1000) {
                error = WireClient.error(wire.query("select 1"));
                ran++;
            }
            assertThat(error).contains("C53400|").contains("as one message");
            assertThat(ran).isGreaterThan(20);
            other.signIn("postgres." + neighbour(), TestingPlatform.ADMIN);
            assertThat(WireClient.types(other.query("select 1"))).isEqualTo("TDCZ");
        }
    }

    @Test
    void aStatementWaitsForTheTimeOfThoseBeforeItAndSaysSo() throws Exception {
        try (var slow = new EndpointCopy(Map.of("runningPerSecond", 0.05, "turn", Duration.ofMinutes(1)));
                WireClient wire = signedIn(slow.port())) {
            assertThat(WireClient.types(wire.query("select pg_sleep(1.2)"))).isEqualTo("TDCZ");
            var answers = wire.query("select 1");
            assertThat(WireClient.types(answers)).isEqualTo("NTDCZ");
            assertThat(answers.getFirst().text()).contains("SNOTICE|").contains("seconds for its turn");
        }
    }
}
