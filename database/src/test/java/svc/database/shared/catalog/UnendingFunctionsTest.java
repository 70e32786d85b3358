package svc.database.shared.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.SharedDatabaseHardening;
import svc.database.shared.Sql;

/**
 * Functions that no cancellation ends are closed, or are known and cost no more than the product of two sizes. The benchmark
 * {@code unending-functions} looks for others, which takes minutes.
 */
class UnendingFunctionsTest {
    /** Distances and intersections of shapes with many points: no schema needs them with as many. */
    private static final List<String> CLOSED = List.of("path_distance", "path_inter", "poly_distance", "poly_overlap");

    /** The functions of pg_catalog that the owner may call. */
    private static Set<String> allowed() throws SQLException {
        Set<String> names = new TreeSet<>();
        try (Connection superuser = HardenedServer.superuser();
                Statement statement = superuser.createStatement();
                ResultSet rows = statement.executeQuery(HardenedServer.A.fill("""
                        SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace
                          AND has_function_privilege('$S_owner', p.oid, 'EXECUTE')"""))) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static Map<String, String> known() throws IOException {
        Map<String, String> known = new TreeMap<>();
        try (InputStream stream =
                SharedDatabaseHardening.class.getResourceAsStream("functions-without-cancellation.txt")) {
            new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        int colon = line.indexOf(": ");
                        known.put(line.substring(0, colon), line.substring(colon + 2));
                    });
        }
        return known;
    }

    @Test
    void thoseThatNoSchemaNeedsAreClosed() throws SQLException {
        assertThat(allowed()).contains("path_n_lt", "poly_contain").doesNotContainAnyElementsOf(CLOSED);
    }

    @Test
    void theOthersAreKnownWithTheReason() throws Exception {
        assertThat(allowed()).containsAll(known().keySet());
        assertThat(known().values()).noneMatch(String::isBlank);
    }

    /** What schemas and their clients are written with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ARRAY[1,2] @> ARRAY[1]",
                "ARRAY[1] <@ ARRAY[1,2]",
                "ARRAY[1] && ARRAY[1,2]",
                "'{\"a\":1,\"b\":2}'::jsonb @> '{\"a\":1}'",
                "'{\"a\":1}'::jsonb <@ '{\"a\":1,\"b\":2}'",
                "'{\"a\":1}'::jsonb ?| ARRAY['a','b']",
                "'{\"a\":1}'::jsonb ?& ARRAY['a']",
                "array_to_string(ARRAY['a','b'], ',') = 'a,b'",
                "position('b' in 'ab') = 2",
                "position(B'1' in B'01') = 2",
                "strpos('ab', 'b') = 2",
                "replace('ab', 'b', '') = 'a'",
                "split_part('a,b', ',', 2) = 'b'",
                "ts_rank(to_tsvector('simple', 'a'), 'a'::tsquery) > 0",
                "xpath_exists('//a', '<a/>'::xml)"
            })
    void theOrdinaryOnesStay(String condition) throws Exception {
        try (Connection owner = HardenedServer.A.owner()) {
            assertThat(Sql.value(owner, "SELECT " + condition)).isEqualTo("t");
        }
    }
}
