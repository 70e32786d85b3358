package svc.management.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.platform.PlatformSchema;
import svc.database.sql.SqlFragment;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.management.idempotency.IdempotentCalls.State;
import svc.management.token.Principal;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingKeys;

/** Keys over several instances, crashes and time, in bounds that one token cannot exceed at another's cost. */
class IdempotentCallsTest {
    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();
    private static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");

    private static PlatformDatabase database;
    private static PlatformDatabase ofAnotherInstance;
    private static String name;

    private final Principal by = principal(UUID.randomUUID(), "org-" + UUID.randomUUID());

    @BeforeAll
    static void start() throws SQLException {
        name = SERVER.createDatabase("idempotent_calls");
        PlatformSchema.migrate(SERVER.dataSource(name));
        try (var connection = SERVER.connect(name);
                var statement = connection.createStatement()) {
            statement.execute("ALTER ROLE svc_platform PASSWORD '"
                    + TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).scramVerifier() + "'");
        }
        database = open();
        ofAnotherInstance = open();
    }

    @AfterAll
    static void stop() {
        database.close();
        ofAnotherInstance.close();
    }

    private static PlatformDatabase open() {
        return new PlatformDatabase(
                SERVER.jdbcUrl(name),
                () -> TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).password(),
                PoolSettings.defaults().withCap(8));
    }

    private static Principal principal(UUID token, String organization) {
        return new Principal(token, organization, Set.of());
    }

    private static IdempotentCalls at(Instant now) {
        return new IdempotentCalls(database, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static KeyedCall call(Principal by, String key) {
        return KeyedCall.of(by, key, "POST", "/v1/things", ByteBuffer.wrap(new byte[] {1}));
    }

    @Test
    void ofManyAttemptsAtSeveralInstancesOneHasTheKey() throws Exception {
        IdempotentCalls other = new IdempotentCalls(ofAnotherInstance, Clock.fixed(NOW, ZoneOffset.UTC));
        List<Future<State>> attempts = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                IdempotentCalls instance = i % 2 == 0 ? at(NOW) : other;
                attempts.add(threads.submit(() -> instance.claim(call(by, "race"))));
            }
        }
        int claimed = 0;
        for (Future<State> attempt : attempts) {
            claimed += attempt.get() instanceof State.Claimed ? 1 : 0;
            assertThat(attempt.get()).isInstanceOfAny(State.Claimed.class, State.Running.class);
        }
        assertThat(claimed).isEqualTo(1);
    }

    @Test
    void anAnswerIsKeptForADayAndAClaimOfACrashedProcessForTenMinutes() {
        KeyedCall first = call(by, "day");
        assertThat(at(NOW).claim(first)).isInstanceOf(State.Claimed.class);
        Instant crashed = NOW.plus(IdempotentCalls.LEASE);
        assertThat(at(crashed.minusMillis(1)).claim(call(by, "day"))).isInstanceOf(State.Running.class);
        KeyedCall second = call(by, "day");
        assertThat(at(crashed).claim(second)).isInstanceOf(State.Claimed.class);

        at(crashed).finish(first, 201, Optional.of(new byte[] {9}));
        assertThat(at(crashed).claim(call(by, "day")))
                .as("a process that was taken for crashed changes nothing")
                .isInstanceOf(State.Running.class);
        at(crashed).finish(second, 201, Optional.of(new byte[] {7}));

        Instant end = crashed.plus(IdempotentCalls.KEPT);
        assertThat(at(end.minusMillis(1)).claim(call(by, "day")))
                .isInstanceOfSatisfying(
                        State.Done.class, done -> assertThat(done.sealed()).hasValue(new byte[] {7}));
        assertThat(at(end).claim(KeyedCall.of(by, "day", "PUT", "/v1/others")))
                .as("the key is free for any call")
                .isInstanceOf(State.Claimed.class);
    }

    @Test
    void aReleasedKeyIsFreeAndAnotherCallUnderAKeyIsNot() {
        KeyedCall refused = call(by, "freed");
        at(NOW).claim(refused);
        at(NOW).release(refused);
        assertThat(at(NOW).claim(KeyedCall.of(by, "freed", "POST", "/v1/corrected")))
                .isInstanceOf(State.Claimed.class);
        assertThat(at(NOW).claim(call(by, "freed"))).isInstanceOf(State.Other.class);
        assertThat(at(NOW).claim(call(principal(UUID.randomUUID(), by.organization()), "freed")))
                .isInstanceOf(State.Claimed.class);
    }

    @Test
    void keysOfATokenAreBoundedAndExpiredOnesMakePlace() {
        database.update(
                SqlFragment.of(
                        "INSERT INTO svc_platform.idempotent_call (token_id, key_hash, organisation_id, call_hash, claim,"
                                + " started_at, expires_at) SELECT ?::uuid, sha256(i::text::bytea), ?, sha256('x'),"
                                + " gen_random_uuid(), ?::timestamptz, ?::timestamptz FROM generate_series(1, ?) AS i"),
                by.tokenId(),
                by.organization(),
                NOW,
                NOW.plus(Duration.ofHours(1)),
                IdempotentCalls.MAX_KEYS);
        Principal neighbour = principal(UUID.randomUUID(), by.organization());

        assertThat(at(NOW).claim(call(by, "one more"))).isInstanceOf(State.Full.class);
        assertThat(at(NOW).claim(call(neighbour, "its own"))).isInstanceOf(State.Claimed.class);
        assertThat(at(NOW.plus(Duration.ofHours(1))).claim(call(by, "one more")))
                .isInstanceOf(State.Claimed.class);
    }

    @Test
    void theKeysOfAllTokensOfAnOrganizationAreBounded() {
        database.update(
                SqlFragment.of(
                        "INSERT INTO svc_platform.idempotent_call (token_id, key_hash, organisation_id, call_hash, claim,"
                                + " started_at, expires_at) SELECT gen_random_uuid(), sha256(i::text::bytea), ?, sha256('x'),"
                                + " gen_random_uuid(), ?::timestamptz, ?::timestamptz FROM generate_series(1, ?) AS i"),
                by.organization(),
                NOW,
                NOW.plus(Duration.ofHours(1)),
                IdempotentCalls.MAX_KEYS_OF_ORGANIZATION);

        assertThat(at(NOW).claim(call(by, "one more"))).isInstanceOf(State.Full.class);
        assertThat(at(NOW).claim(call(principal(UUID.randomUUID(), "org-" + UUID.randomUUID()), "its own")))
                .isInstanceOf(State.Claimed.class);
    }

    @Test
    void largeAnswersTakeNoMorePlaceThanATokenHas() {
        byte[] answer = new byte[1 << 20];
        int places = (int) (IdempotentCalls.MAX_BYTES / answer.length);
        for (int i = 0; i <= places; i++) {
            KeyedCall call = call(by, "large " + i);
            at(NOW).claim(call);
            at(NOW).finish(call, 200, Optional.of(answer));
        }
        assertThat(at(NOW).claim(call(by, "large 0")))
                .isInstanceOfSatisfying(
                        State.Done.class, done -> assertThat(done.sealed()).isPresent());
        assertThat(at(NOW).claim(call(by, "large " + places)))
                .as("known to have run, without its answer")
                .isInstanceOfSatisfying(
                        State.Done.class, done -> assertThat(done.sealed()).isEmpty());
        Principal neighbour = principal(UUID.randomUUID(), by.organization());
        KeyedCall own = call(neighbour, "own");
        at(NOW).claim(own);
        at(NOW).finish(own, 200, Optional.of(answer));
        assertThat(at(NOW).claim(call(neighbour, "own")))
                .isInstanceOfSatisfying(
                        State.Done.class, done -> assertThat(done.sealed()).isPresent());
    }

    @Test
    void expiredRowsAreSweptAndOthersStay() {
        Instant later = NOW.plus(Duration.ofDays(10));
        KeyedCall old = call(by, "old");
        at(later).claim(old);
        at(later).finish(old, 200, Optional.empty());
        KeyedCall fresh = call(by, "fresh");
        Instant after = later.plus(IdempotentCalls.KEPT);
        at(after.minusSeconds(1)).claim(fresh);
        while (at(after).sweep(100) > 0) {
            Thread.onSpinWait();
        }
        assertThat(at(after).claim(call(by, "fresh"))).isInstanceOf(State.Running.class);
        assertThat(at(later).claim(KeyedCall.of(by, "old", "POST", "/v1/others")))
                .isInstanceOf(State.Claimed.class);
    }

    @Test
    void anAnswerOpensForItsTokenItsKeyAndItsCallAlone() {
        KeyedCall call = call(by, "sealed");
        byte[] sealed = AnswerSeal.seal("svc_pat_one", call, new byte[] {1, 2, 3});

        assertThat(AnswerSeal.open("svc_pat_one", call(by, "sealed"), sealed)).hasValue(new byte[] {1, 2, 3});
        assertThat(AnswerSeal.open("svc_pat_two", call, sealed)).isEmpty();
        assertThat(AnswerSeal.open("svc_pat_one", call(by, "other"), sealed)).isEmpty();
        assertThat(AnswerSeal.open("svc_pat_one", KeyedCall.of(by, "sealed", "POST", "/v1/others"), sealed))
                .isEmpty();
        sealed[sealed.length - 1] ^= 1;
        assertThat(AnswerSeal.open("svc_pat_one", call, sealed)).isEmpty();
    }
}
