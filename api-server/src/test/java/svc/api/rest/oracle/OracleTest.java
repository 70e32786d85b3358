package svc.api.rest.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.api.rest.ReadFixture;
import svc.api.tenancy.RestSettings;
import svc.api.tenancy.Tenant;
import svc.api.testing.TestingProjects;
import svc.crds.project.service.TransactionEnd;
import svc.embedded.postgres.EmbeddedPostgres;

/**
 * The same requests to us and to PostgREST 12.0.2 over the same schema. What differs must be known: {@link Difference}. Runs
 * where the program is, which the benchmark fetches; elsewhere it is skipped and says so.
 */
class OracleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final List<String> HEADERS =
            List.of("Content-Type", "Content-Range", "Location", "Preference-Applied", "Allow");

    @Test
    void answersAreThoseOfPostgrest() throws Exception {
        Optional<Path> program = Postgrest.program();
        assumeTrue(
                program.isPresent(),
                "skipped: PostgREST is not on this machine; run ./svc bench rest once, or set " + Postgrest.LOCATION);
        Path log = Files.createTempFile("svc-postgrest-", ".log");
        try (ReadFixture fixture = ReadFixture.serve()) {
            Tenant tenant = fixture.plane().serve(fixture.tenant(), "oracle12", rolledBack());
            fixture.projects().asOwner(tenant, resource("functions.sql"));
            try (Postgrest oracle = Postgrest.start(
                    program.get(), database(fixture.projects()), tenant.names().schemaName(), log)) {
                URI ours = URI.create("http://127.0.0.1:" + fixture.plane().port() + "/" + tenant.ref());
                URI theirs = URI.create("http://127.0.0.1:" + oracle.port());
                assertThat(differences(ours, theirs)).isEmpty();
            }
        } finally {
            Files.delete(log);
        }
    }

    private static List<String> differences(URI ours, URI theirs) throws Exception {
        List<String> differences = new ArrayList<>();
        for (String line : resource("requests.txt").lines().toList()) {
            List<String> mine = answer(ours, line);
            List<String> expected = answer(theirs, line);
            if (!mine.equals(expected) && Difference.of(line, expected, mine).isEmpty()) {
                differences.add(line + "\n  PostgREST: " + expected + "\n  we:        " + mine + "\n");
            }
        }
        return differences;
    }

    /** Status, the headers that clients read, and the body; JSON without its white space. */
    private static List<String> answer(URI server, String line) throws Exception {
        String[] parts = line.split("\\|", 3);
        String[] request = parts[0].strip().split(" ", 2);
        String body = parts.length > 2 ? parts[2].strip() : "";
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server + encoded(request[1])))
                .method(request[0], body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (String header : parts.length > 1 ? parts[1].split("; ") : new String[0]) {
            if (!header.isBlank()) {
                String[] pair = header.strip().split(": ", 2);
                builder.header(pair[0], pair[1]);
            }
        }
        HttpResponse<String> answer = CLIENT.send(builder.build(), BodyHandlers.ofString());
        List<String> seen = new ArrayList<>();
        seen.add(Integer.toString(answer.statusCode()));
        HEADERS.forEach(name -> seen.add(name + ": "
                + answer.headers()
                        .firstValue(name)
                        .map(value -> value.replace(" ", ""))
                        .orElse("-")));
        seen.add(normal(answer.body()));
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

    private static String encoded(String target) {
        return target.replace(" ", "%20")
                .replace("\"", "%22")
                .replace("{", "%7B")
                .replace("}", "%7D")
                .replace("[", "%5B")
                .replace("]", "%5D")
                .replace(">", "%3E")
                .replace("^", "%5E")
                .replace("\\", "%5C");
    }

    private static RestSettings rolledBack() {
        RestSettings defaults = RestSettings.defaults().withAggregates();
        return new RestSettings(
                defaults.exposedSchemas(),
                defaults.extraSearchPath(),
                defaults.maxRows(),
                true,
                false,
                Optional.empty(),
                TransactionEnd.ROLLBACK,
                defaults.openapiMode(),
                Optional.empty(),
                Optional.empty());
    }

    private static String database(TestingProjects projects) {
        return "postgres://" + EmbeddedPostgres.OPERATOR + ":" + TestingProjects.SERVER.operatorPassword()
                + "@127.0.0.1:" + TestingProjects.SERVER.port() + "/" + projects.database();
    }

    private static String resource(String name) throws IOException {
        try (var in = OracleTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
