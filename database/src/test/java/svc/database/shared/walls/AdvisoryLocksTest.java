package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Advisory locks work as in every PostgreSQL within a project, and reach no lock of a neighbour's or of the platform's. */
class AdvisoryLocksTest {
    static final List<String> LOGINS = Tenant.LOGINS;

    /** In each form of keys; the extremes, and what a hash of them might make equal. */
    static final List<String> KEYS = List.of(
            "0",
            "1",
            "-1",
            "72707369",
            "1073741823",
            "1073741824",
            "-1073741825",
            "9223372036854775807",
            "-9223372036854775808",
            "0, 0",
            "0, 1",
            "1, 0",
            "4294967296",
            "8589934595",
            "-1, -1",
            "2147483647, -2147483648");

    /** The locks of all projects that are held or waited for. */
    private static final String LOCKS =
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = '%s'::regnamespace::oid";

    private static Tenant tenant;
    private static Tenant neighbour;

    @BeforeAll
    static void prepare() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void aKeyIsOneLockInAProjectAndAnotherInTheNext(String key) throws Exception {
        try (Connection owner = tenant.owner();
                Connection second = tenant.login("service");
                Connection other = neighbour.owner()) {
            Sql.run(owner, "SELECT pg_advisory_lock(" + key + ")");
            assertThat(tried(second, key)).isEqualTo("f");
            assertThat(tried(other, key)).isEqualTo("t");
            for (String different : KEYS) {
                assertThat(tried(second, different)).as(different).isEqualTo(different.equals(key) ? "f" : "t");
            }
            assertThat(Sql.value(owner, "SELECT pg_advisory_unlock(" + key + ")"))
                    .isEqualTo("t");
            assertThat(tried(second, key)).isEqualTo("t");
        }
    }

    static Stream<String[]> modes() {
        return Stream.of(
                new String[] {"pg_advisory_lock(5)", "f", "f"},
                new String[] {"pg_advisory_xact_lock(5)", "f", "f"},
                new String[] {"pg_try_advisory_lock(5)", "f", "f"},
                new String[] {"pg_try_advisory_xact_lock(5)", "f", "f"},
                new String[] {"pg_advisory_lock_shared(5)", "f", "t"},
                new String[] {"pg_advisory_xact_lock_shared(5)", "f", "t"},
                new String[] {"pg_try_advisory_lock_shared(5)", "f", "t"},
                new String[] {"pg_try_advisory_xact_lock_shared(5)", "f", "t"});
    }

    @ParameterizedTest
    @MethodSource("modes")
    void eachFormTakesWhatItSays(String form, String exclusive, String shared) throws Exception {
        for (String twoKeys : List.of("(5)", "(5, 6)")) {
            try (Connection owner = tenant.owner();
                    Connection second = tenant.owner()) {
                owner.setAutoCommit(false);
                Sql.column(owner, "SELECT " + form.replace("(5)", twoKeys));
                assertThat(Sql.value(second, "SELECT pg_try_advisory_xact_lock" + twoKeys))
                        .isEqualTo(exclusive);
                assertThat(Sql.value(second, "SELECT pg_try_advisory_xact_lock_shared" + twoKeys))
                        .isEqualTo(shared);
                owner.commit();
                // What is taken for the session stays until it is released.
                assertThat(tried(second, inBrackets(twoKeys))).isEqualTo(form.contains("xact") ? "t" : "f");
                Sql.column(owner, "SELECT pg_advisory_unlock" + (form.contains("shared") ? "_shared" : "") + twoKeys);
                owner.commit();
                assertThat(tried(second, inBrackets(twoKeys))).isEqualTo("t");
            }
        }
    }

    @Test
    void allLocksOfASessionAreReleasedAtOnceAndNoOthers() throws Exception {
        try (Connection owner = tenant.owner();
                Connection second = tenant.owner();
                Connection other = neighbour.owner()) {
            Sql.run(owner, "SELECT pg_advisory_lock(1), pg_advisory_lock(2), pg_advisory_lock(3, 4)");
            Sql.run(second, "SELECT pg_advisory_lock(9)");
            Sql.run(other, "SELECT pg_advisory_lock(1)");
            Sql.run(owner, "SELECT pg_advisory_unlock_all()");
            assertThat(locks(tenant)).isEqualTo("1");
            assertThat(locks(neighbour)).isEqualTo("1");
        }
    }

    @Test
    void aSessionThatEndsLeavesNoLock() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, "SELECT pg_advisory_lock(77)");
        }
        try (Connection second = tenant.owner()) {
            // The server's process ends a moment after its socket; the lock is there by then or not at all.
            Sql.run(second, "SET statement_timeout = '30s'; SELECT pg_advisory_xact_lock(77)");
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void theServersOwnFunctionsStayClosed(String login) throws Exception {
        try (Connection connection = neighbour.login(login)) {
            for (String call : List.of(
                    "pg_advisory_lock(1)",
                    "pg_advisory_xact_lock(1, 2)",
                    "pg_try_advisory_lock(1)",
                    "pg_try_advisory_xact_lock_shared(1)",
                    "pg_advisory_unlock(1)",
                    "pg_advisory_unlock_all()")) {
                assertThat(Sql.state(connection, "SELECT pg_catalog." + call))
                        .as(call)
                        .isEqualTo("42501");
            }
            for (String call : List.of("new_lock_number()", "lock_number()", "lock_key(1)", "keeps_locks()")) {
                assertThat(Sql.state(connection, "SELECT svc_guard." + call))
                        .as(call)
                        .isEqualTo("42501");
            }
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void noKeyIsOneOfThePlatforms(String login) throws Exception {
        String key = "8608477130250248804";
        try (Connection superuser = HardenedServer.superuser();
                Connection connection = neighbour.login(login)) {
            connection.setAutoCommit(false);
            Sql.run(superuser, "SELECT pg_advisory_lock(" + key + "), pg_advisory_lock(1)");
            assertThat(Sql.value(connection, "SELECT pg_try_advisory_xact_lock(" + key + ")"))
                    .isEqualTo("t");
            assertThat(Sql.value(connection, "SELECT pg_try_advisory_xact_lock(1)"))
                    .isEqualTo("t");
            assertThat(Sql.value(connection, "SELECT pg_try_advisory_xact_lock(0, 1)"))
                    .isEqualTo("t");
            assertThat(Sql.value(superuser, """
                            SELECT count(*) FROM pg_locks
                            WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()""")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void inThePooledLoginsALockEndsWithItsTransaction(String login) throws Exception {
        boolean pooled = !login.equals("owner");
        for (String form : List.of("pg_advisory_lock(31)", "pg_try_advisory_lock(31)", "pg_advisory_lock_shared(31)")) {
            for (String end : List.of("COMMIT", "ROLLBACK")) {
                try (Connection connection = tenant.login(login)) {
                    Sql.run(connection, "BEGIN READ ONLY; SELECT " + form);
                    assertThat(locks(tenant)).isEqualTo("1");
                    Sql.run(connection, end);
                    assertThat(locks(tenant)).as(login + " " + form + " " + end).isEqualTo(pooled ? "0" : "1");
                    // An application releases it all the same.
                    assertThat(Sql.value(connection, "SELECT pg_advisory_unlock(31)"))
                            .isEqualTo("t");
                    Sql.run(connection, "SELECT pg_advisory_unlock_all()");
                    assertThat(locks(tenant)).isEqualTo("0");
                }
            }
        }
    }

    @Test
    void aReleaseIsTrueWhereNothingIsHeldAsMigratorsExpect() throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.value(owner, "SELECT pg_advisory_unlock(1)")).isEqualTo("t");
            assertThat(Sql.value(owner, "SELECT pg_advisory_unlock_shared(1, 2)"))
                    .isEqualTo("t");
            assertThat(Sql.value(owner, "SELECT pg_advisory_unlock(NULL)")).isNull();
            assertThat(Sql.value(owner, "SELECT pg_try_advisory_lock(NULL)")).isNull();
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void aProjectHoldsABoundedNumberOfLocks(String login) throws Exception {
        Tenant greedy = HardenedServer.newTenant();
        String take = "DO 'BEGIN FOR i IN 1..100000 LOOP PERFORM setseed(0.5); PERFORM %s; END LOOP; END'";
        try (Connection connection = greedy.login(login);
                Connection again = greedy.login(login);
                Connection other = neighbour.login(login)) {
            connection.setAutoCommit(false);
            Sql.column(connection, "SELECT pg_advisory_xact_lock(i) FROM generate_series(1, 900) i");
            // All sessions and forms together; and what takes a lock the session keeps after the error.
            for (String form :
                    List.of("pg_advisory_xact_lock(1000 + i)", "pg_try_advisory_lock(-i)", "pg_advisory_lock(7, i)")) {
                assertThat(Sql.state(again, take.formatted(form))).as(form).isEqualTo("54000");
            }
            assertThat(Integer.parseInt(locks(greedy))).isLessThan(4_000);
            assertThat(tried(other, "1")).isEqualTo("t");
            connection.rollback();
            Sql.run(again, "SELECT pg_advisory_unlock_all()");
            assertThat(locks(greedy)).isEqualTo("0");
        }
    }

    @Test
    void codeThatCatchesTheErrorEndsWithItsSession() throws Exception {
        Tenant greedy = HardenedServer.newTenant();
        try (Connection connection = greedy.owner()) {
            assertThat(Sql.state(connection, """
                            DO 'BEGIN FOR i IN 1..1000000 LOOP
                                BEGIN PERFORM pg_advisory_lock(i); EXCEPTION WHEN OTHERS THEN NULL; END;
                            END LOOP; END'""")).isEqualTo("57P01");
        }
    }

    @Test
    void whoWaitsForALockKeepsItsTimeLimits() throws Exception {
        try (Connection owner = tenant.owner();
                Connection second = tenant.login("service")) {
            Sql.run(owner, "SELECT pg_advisory_lock(1)");
            assertThat(Sql.state(second, "SET lock_timeout = '50ms'; SELECT pg_advisory_lock(1)"))
                    .isEqualTo("55P03");
            assertThat(Sql.state(
                            second, "SET lock_timeout = 0; SET statement_timeout = '50ms'; SELECT pg_advisory_lock(1)"))
                    .isEqualTo("57014");
        }
    }

    @Test
    void inASessionOfNoProjectTheyAreRefused() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.state(superuser, "SELECT svc_views.pg_advisory_lock(1)"))
                    .isEqualTo("42501");
        }
    }

    private static String tried(Connection connection, String key) throws Exception {
        return Sql.value(connection, "SELECT pg_try_advisory_xact_lock(" + key + ")");
    }

    private static String inBrackets(String keys) {
        return keys.substring(1, keys.length() - 1);
    }

    private static String locks(Tenant of) throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.value(superuser, LOCKS.formatted(of.schema()));
        }
    }
}
