package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import svc.database.key.Purpose;
import svc.testing.Http;

/**
 * A project that exhausts its resources through both planes: its calls are cut or rejected, and those of another
 * project complete. Completion is asserted under a generous bound; speed is not.
 */
final class Siege {
    private static final int BOUND_SECONDS = 120;

    /** Connections, locks, time, memory of the server and of ours, disk, the readers of the gate. */
    private static final List<String> GREED = List.of(
            "SELECT pg_sleep(1000)",
            "LOCK TABLE loot IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1000)",
            "DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(1000); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$",
            "DO $$ BEGIN RAISE EXCEPTION '%', repeat('x', 200000000) USING HINT = repeat('y', 200000000); END $$",
            "DO $$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 1000000); END LOOP; END $$",
            "SELECT repeat('x', 100000000) FROM generate_series(1, 100)",
            "SELECT count(*) FROM (SELECT g, repeat(g::text, 100) AS t FROM generate_series(1, 100000000) g ORDER BY t) x",
            "INSERT INTO loot SELECT repeat(md5(g::text), 100) FROM generate_series(1, 100000000) g",
            "SELECT act('NOTIFY x, ''' || repeat('y', 7000) || g || '''') FROM generate_series(1, 1000000) g",
            "SELECT 1" + " UNION SELECT 1".repeat(15000),
            "SELECT " + "(".repeat(100000));

    private final Attacker greedy;
    private final Attacker bystander;

    Siege(Attacker greedy, Attacker bystander) {
        this.greedy = greedy;
        this.bystander = bystander;
    }

    void endure() throws Exception {
        assertThat(greedy.sql(
                                "CREATE VIEW slow AS SELECT act('SET statement_timeout = 0') AS a, pg_sleep(4)::text AS b")
                        .status())
                .isEqualTo(201);
        assertThat(bystander.sql("INSERT INTO loot VALUES ('4711')").status()).isEqualTo(201);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Http.Answer>> attack = new ArrayList<>();
            for (String sql : GREED) {
                for (int copy = 0; copy < 3; copy++) {
                    attack.add(threads.submit(() -> greedy.sql(sql)));
                    attack.add(threads.submit(() -> greedy.rest(Purpose.ANON_KEY, "GET", "/rest/v1/slow", "")));
                }
            }
            for (int i = 0; i < 5; i++) {
                assertThat(answered(threads, () -> bystander.sql("SELECT what FROM loot"))
                                .text())
                        .contains("4711");
                assertThat(answered(threads, () -> bystander.rest(Purpose.ANON_KEY, "GET", "/rest/v1/loot", ""))
                                .text())
                        .contains("4711");
            }
            for (Future<Http.Answer> answer : attack) {
                Http.Answer cut = answer.get(BOUND_SECONDS, TimeUnit.SECONDS);
                // Full for now, or out of time, is an answer; a fault or a broken connection is none.
                assertThat(cut.status() < 500 || cut.status() == 503 || cut.status() == 504)
                        .as(cut.toString())
                        .isTrue();
            }
        }
        assertThat(greedy.sql("SELECT 1").status()).isEqualTo(201);
    }

    private static Http.Answer answered(ExecutorService threads, Callable<Http.Answer> call) throws Exception {
        return threads.submit(call).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
}
