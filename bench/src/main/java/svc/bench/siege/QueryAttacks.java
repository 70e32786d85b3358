package svc.bench.siege;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import svc.bench.measure.BenchTables;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/** Requests to GraphQL, REST and the SQL endpoint whose documents, descriptions or trees are much larger than they look. */
final class QueryAttacks {
    private static final int TABLES = 1_500;
    private static final int TABLES_A_SCRIPT = 300;
    private static final int COLUMNS = 30;
    private static final int NUMBERS = 250_000;
    private static final int FILTERS = 240;
    private static final int SPREADS = 1_990;
    private static final int NAMES = 60_000;
    private static final int NOISE = 8_000;
    private static final int LINES = 60;

    private final Attacker attacker;
    private final Attacker describer;
    private final ObjectMapper json = new ObjectMapper();

    private QueryAttacks(Attacker attacker, Attacker describer) {
        this.attacker = attacker;
        this.describer = describer;
    }

    static QueryAttacks prepare(Platform platform) throws IOException {
        Attacker attacker = Attacker.create(platform, "queries");
        platform.controlPlane()
                .query(
                        attacker.ref(),
                        BenchTables.item()
                                + "CREATE FUNCTION noisy() RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
                                + " RAISE EXCEPTION '%', repeat('svc_', " + NOISE / 4 + "); END $$;")
                .expect(201);
        Attacker describer = Attacker.create(platform, "many tables");
        for (int first = 0; first < TABLES; first += TABLES_A_SCRIPT) {
            String script = IntStream.range(first, first + TABLES_A_SCRIPT)
                    .mapToObj(QueryAttacks::wideTable)
                    .collect(Collectors.joining());
            platform.controlPlane().query(describer.ref(), script).expect(201);
        }
        return new QueryAttacks(attacker, describer);
    }

    private static String wideTable(int number) {
        return IntStream.range(0, COLUMNS)
                .mapToObj(column -> "c" + column + " int")
                .collect(Collectors.joining(",", "CREATE TABLE t" + number + "(", ");"));
    }

    List<Attack> attacks() {
        return List.of(
                new Attack("one GraphQL variable of 250,000 numbers in 240 filters", this::sharedVariable),
                new Attack("a persisted document of 1,990 spreads, by its hash", this::persistedDocument),
                new Attack("descriptions of 1,500 tables", this::descriptions),
                new Attack("statements of 60,000 names", this::manyNames),
                new Attack("error messages of 8 KB full of the beginnings of keys", this::noisyErrors));
    }

    private AutoCloseable sharedVariable() throws IOException {
        String numbers = IntStream.range(0, NUMBERS).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String fields = IntStream.range(0, FILTERS)
                .mapToObj(i -> "a" + i + ":itemCollection(filter:{id:{in:$v}}){edges{node{id}}}")
                .collect(Collectors.joining(" "));
        String body = "{\"query\":\"query($v:[Int!]!){" + fields + "}\",\"variables\":{\"v\":[" + numbers + "]}}";
        return Attacker.flood(40, 4, call -> graphql(body));
    }

    private AutoCloseable persistedDocument() throws IOException {
        String query = "{itemCollection{edges{node{" + "...f ".repeat(SPREADS) + "}}}} fragment f on Item{"
                + IntStream.range(0, 100).mapToObj(i -> "a" + i + ":id").collect(Collectors.joining(" ")) + "}";
        var persisted = Map.of("persistedQuery", Map.of("version", 1, "sha256Hash", sha256(query)));
        ControlPlane.send(graphql(json.writeValueAsString(Map.of("query", query, "extensions", persisted))));
        String byHash = json.writeValueAsString(Map.of("extensions", persisted));
        return Attacker.flood(500, 8, call -> graphql(byHash));
    }

    private HttpRequest.Builder graphql(String body) {
        return attacker.request("/graphql/v1").POST(BodyPublishers.ofString(body));
    }

    private AutoCloseable descriptions() {
        return Attacker.flood(60, 6, call -> describer.request("/rest/v1/").GET());
    }

    private AutoCloseable manyNames() {
        String query =
                "select " + IntStream.range(0, NAMES).mapToObj(i -> "a.b").collect(Collectors.joining(","));
        return Attacker.flood(24, 4, call -> attacker.management("/database/query", Map.of("query", query)));
    }

    private AutoCloseable noisyErrors() {
        return Attacker.flood(
                LINES, 8, call -> attacker.request("/rest/v1/rpc/noisy").POST(BodyPublishers.ofString("{}")));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
