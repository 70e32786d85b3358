package svc.postgres.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.postgres.Access;

/** Callers choose the texts of statements: thousands of long ones take a bounded part of what remembers them. */
class CachesOfTextsTest {
    private static final int FLOOD = 20_000;
    private static final long QUICK = 1_000L;
    private static final UUID HOSTILE = UUID.randomUUID();
    private static final UUID NEIGHBOUR = UUID.randomUUID();

    private static String text(int number, int length) {
        return "SELECT " + number + " " + "x".repeat(length);
    }

    /** What a connection does with one statement in one write. */
    private static String prepare(PreparedStatements statements, String text) {
        statements.beginRound();
        String name = statements.name(text).orElseGet(() -> {
            String made = statements.request(text);
            statements.confirmed();
            return made;
        });
        statements.endRound();
        return name;
    }

    @Test
    void aConnectionKeepsABoundedLengthOfTexts() {
        var statements = new PreparedStatements();
        String steady = prepare(statements, "RESET ALL");
        Set<String> prepared = new HashSet<>();
        for (int i = 0; i < FLOOD; i++) {
            statements.evict().forEach(prepared::remove);
            assertThat(statements.totalLength()).isLessThanOrEqualTo(PreparedStatements.MAX_TOTAL_LENGTH);
            prepared.add(prepare(statements, text(i, 10_000)));
            assertThat(prepare(statements, "RESET ALL")).isEqualTo(steady);
        }
        assertThat(prepared.size()).isLessThan(20);
    }

    @Test
    void aDroppedStatementIsDeallocatedOnceAndPreparedAgain() {
        var statements = new PreparedStatements();
        String outdated = prepare(statements, text(1, 100));
        String other = prepare(statements, text(2, 100));
        statements.drop(text(1, 100));
        statements.drop(text(3, 100));
        assertThat(statements.evict()).containsExactly(outdated);
        assertThat(statements.evict()).isEmpty();
        assertThat(prepare(statements, text(1, 100))).isNotEqualTo(outdated);
        assertThat(prepare(statements, text(2, 100))).isEqualTo(other);
        assertThat(statements.totalLength()).isEqualTo(2L * text(1, 100).length());
    }

    @Test
    void anExplanationIsNotKept() {
        assertThat(PreparedStatements.keeps("EXPLAIN (FORMAT JSON) SELECT 1")).isFalse();
    }

    @Test
    void aConnectionKeepsNoLongText() {
        assertThat(PreparedStatements.keeps(text(1, 10_000))).isTrue();
        assertThat(PreparedStatements.keeps(text(1, PreparedStatements.MAX_LENGTH)))
                .isFalse();
    }

    @Test
    void aSmallTextIsEvictedLast() {
        var statements = new PreparedStatements();
        List<String> names =
                List.of(prepare(statements, text(1, 100)), prepare(statements, text(2, 100)), prepare(statements, "a"));

        assertThat(statements.evict()).isEmpty();
        assertThat(prepare(statements, text(1, 100))).isEqualTo(names.getFirst());
    }

    @Test
    void aProjectsMeasurementsTakeNoPlaceOfAnothers() {
        var cache = new QueryTimeCache();
        for (int i = 0; i < 100; i++) {
            cache.took(NEIGHBOUR, text(i, 20), QUICK);
        }
        long before = cache.size();
        long quick = quick(cache, 100);
        for (int i = 0; i < FLOOD; i++) {
            cache.took(HOSTILE, text(i, 2_000), QUICK);
        }

        assertThat(cache.size() - before).isLessThanOrEqualTo(QueryTimeCache.MAX_QUERIES_OF_PROJECT);
        assertThat(quick(cache, 100)).isEqualTo(quick).isGreaterThan(50);
    }

    private static long quick(QueryTimeCache cache, int count) {
        long quick = 0;
        for (int i = 0; i < count; i++) {
            quick += cache.isQuick(NEIGHBOUR, text(i, 20), Access.READ) ? 1 : 0;
        }
        return quick;
    }

    @Test
    void aQueryIsNotTakenForAnother() {
        var cache = new QueryTimeCache();
        cache.took(HOSTILE, "SELECT 1", QUICK);

        assertThat(cache.isQuick(HOSTILE, "SELECT 1", Access.READ)).isTrue();
        assertThat(cache.isQuick(NEIGHBOUR, "SELECT 1", Access.READ)).isFalse();
        for (int i = 0; i < FLOOD; i++) {
            assertThat(cache.isQuick(HOSTILE, text(i, 1), Access.READ)).isFalse();
        }
    }
}
