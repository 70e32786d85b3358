package svc.rest.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.TransactionEnd;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.ReadFixture;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * The same requests to us and to PostgREST 12.0.2 over the same schema. What differs must be known: of a kind that
 * {@link Difference} names, or by itself, with the reason, in {@code known.txt}. Runs where the program is, which the benchmark fetches; elsewhere it is skipped and says so.
 */
class OracleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIMEOUT_SECONDS = 10;
    private static final List<String> HEADERS =
            List.of("Content-Type", "Content-Range", "Location", "Preference-Applied", "Allow");

    @Test
    void answersAreThoseOfPostgrest() throws Exception {
        Optional<Path> program = PostgrestProcess.program();
        assumeTrue(
                program.isPresent(),
                "skipped: PostgREST is not on this machine; run ./svc bench rest once, or set "
                        + PostgrestProcess.LOCATION);
        Path log = Files.createTempFile("svc-postgrest-", ".log");
        var projects = TestingProjects.create();
        try (var plane = new TestingDataPlane(projects, PoolSettings.defaults(), true)) {
            ReadFixture fixture = ReadFixture.in(projects, plane);
            Tenant tenant = fixture.serve(rolledBack());
            projects.asOwner(tenant, resource("functions.sql") + resource("odd.sql"));
            try (PostgrestProcess oracle = PostgrestProcess.start(
                    program.get(), database(projects), tenant.names().schemaName(), log)) {
                URI ours = URI.create("http://127.0.0.1:" + plane.port() + "/" + tenant.ref());
                URI theirs = URI.create("http://127.0.0.1:" + oracle.port());
                assertThat(differences(ours, theirs)).isEmpty();
                assertThat(notDifferent(ours, theirs)).isEmpty();
            }
        } finally {
            Files.delete(log);
        }
    }

    private static List<String> differences(URI ours, URI theirs) {
        return asked(client -> Stream.of("requests.txt", "odd.txt")
                .flatMap(name -> resource(name).lines())
                .flatMap(line -> difference(client, line, ours, theirs).stream())
                .toList());
    }

    /** Requests in {@code known.txt} whose response no longer differs, or is a server error. */
    private static List<String> notDifferent(URI ours, URI theirs) {
        return asked(client -> resource("known.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .filter(line -> {
                    List<String> mine = answer(client, ours, line);
                    List<String> expected = answer(client, theirs, line);
                    return mine.equals(expected)
                            || mine.getFirst().startsWith("5")
                                    && !expected.getFirst().startsWith("5");
                })
                .toList());
    }

    private static List<String> asked(Function<HttpClient, List<String>> questions) {
        Vertx vertx = Vertx.vertx();
        try {
            return questions.apply(vertx.createHttpClient());
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static Optional<String> difference(HttpClient client, String line, URI ours, URI theirs) {
        List<String> mine = answer(client, ours, line);
        List<String> expected = answer(client, theirs, line);
        if (mine.equals(expected) || Difference.of(line, expected, mine).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(line + "\n  PostgREST: " + expected + "\n  we:        " + mine + "\n");
    }

    /** Status, the headers that clients read, and the body; JSON without its white space. */
    private static List<String> answer(HttpClient client, URI server, String line) {
        String[] parts = line.split("\\|", 3);
        String[] request = parts[0].strip().split(" ", 2);
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.valueOf(request[0]))
                .setHost(server.getHost())
                .setPort(server.getPort())
                // As it stands: no client's idea of a URI comes between. Only a space would end it.
                .setURI(server.getPath() + request[1].replace(" ", "%20"));
        for (String header : parts.length > 1 ? parts[1].split("; ") : new String[0]) {
            if (!header.isBlank()) {
                String[] pair = header.strip().split(":", 2);
                options.addHeader(pair[0], pair[1].strip());
            }
        }
        return client.request(options)
                .compose(sent ->
                        sent.send(body(parts)).compose(got -> got.body().map(body -> seen(got, body.toString()))))
                .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .otherwise(failure -> List.of(failure.toString()))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private static String body(String[] parts) {
        String body = parts.length > 2 ? parts[2].strip() : "";
        return parts.length > 2 && parts[1].contains("text/csv") ? body.replace("\\n", "\n") : body;
    }

    private static List<String> seen(HttpClientResponse answer, String body) {
        List<String> seen = new ArrayList<>();
        seen.add(Integer.toString(answer.statusCode()));
        HEADERS.forEach(name -> seen.add(name + ": "
                + Optional.ofNullable(answer.getHeader(name)).orElse("-").replace(" ", "")));
        seen.add(normal(body));
        return seen;
    }

    private static String normal(String body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json.isMissingNode() ? "" : json.toString();
        } catch (JsonProcessingException e) {
            return body;
        }
    }

    private static RestSettings rolledBack() {
        return RestSettings.defaults()
                .withAggregates()
                .with(new RestSettings.Transactions(Optional.empty(), TransactionEnd.ROLLBACK));
    }

    private static String database(TestingProjects projects) {
        return "postgres://" + EmbeddedPostgres.OPERATOR + ":" + TestingProjects.SERVER.operatorPassword()
                + "@127.0.0.1:" + TestingProjects.SERVER.port() + "/" + projects.database();
    }

    private static String resource(String name) {
        try (var in = OracleTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + name, e);
        }
    }
}
