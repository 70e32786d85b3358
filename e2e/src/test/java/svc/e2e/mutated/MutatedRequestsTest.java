package svc.e2e.mutated;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.mutated.MutatedRequests.Addresses;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/**
 * Requests to every route of both planes with up to three mistakes each. No answer is a failure of the platform's, none is
 * missing or late, and each has a body, CORS headers and a request id.
 */
@ExtendWith(SharedPlatform.class)
class MutatedRequestsTest {
    /** A share of the 30,000 that {@code -Dsvc.mutated.requests=30000} sends: those take minutes. */
    private static final int REQUESTS = Integer.getInteger("svc.mutated.requests", 4_000);

    /** Another one finds other mistakes; a failure names the one to find them again. */
    private static final long SEED = Long.getLong("svc.mutated.seed", 20_261_123L);

    private static final int AT_ONCE = 24;
    private static final int ENOUGH = 25;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();

    @Test
    void everyAnswerIsOneThatACallerCanRead(Platform platform) throws Exception {
        Path log = platform.data().resolve("svc.log");
        long begun = Files.size(log);
        JsonNode neighbour = platform.controlPlane().create("undisturbed");
        platform.controlPlane().query(ref(neighbour), DataRoutes.TABLES).expect(201);

        send(routes(platform), addresses(platform, neighbour));

        assertThat(broken)
                .as("seed " + SEED + ", answers by status: " + new TreeMap<>(statuses))
                .isEmpty();
        assertThat(errors(log, begun))
                .as("the platform's log tells of no failure")
                .isEmpty();
        Answer rows = ControlPlane.send(
                HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref(neighbour)) + "/rest/v1/list"))
                        .header("apikey", neighbour.get("anon_key").asText()));
        assertThat(rows.expect(200).json())
                .isEqualTo(JSON.readTree("[{\"id\":1,\"name\":\"one\"},{\"id\":2,\"name\":\"two\"}]"));
    }

    private void send(List<Route> routes, Addresses addresses) throws Exception {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<Void>> workers = new ArrayList<>();
            for (int worker = 0; worker < AT_ONCE; worker++) {
                var requests = new MutatedRequests(SEED + worker, routes, addresses);
                workers.add(threads.submit((Callable<Void>) () -> {
                    try (var wire = new Wire(addresses.port())) {
                        for (int sent = 0; sent < REQUESTS / AT_ONCE && broken.size() < ENOUGH; sent++) {
                            exchange(wire, requests.next());
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> worker : workers) {
                worker.get();
            }
        }
    }

    private void exchange(Wire wire, Draft draft) throws IOException {
        try {
            Received answer = wire.exchange(draft);
            statuses.computeIfAbsent(answer.status(), status -> new AtomicInteger())
                    .incrementAndGet();
            Promises.brokenBy(draft, answer).ifPresent(why -> broken.add(why + ": " + draft + "\n→ " + answer));
        } catch (IOException e) {
            wire.close();
            broken.add(e + ": " + draft);
        }
    }

    private static List<String> errors(Path log, long begun) throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(all, (int) begun, all.length - (int) begun, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(" ERROR "))
                .toList();
    }

    private static List<Route> routes(Platform platform) throws IOException {
        ControlPlane api = platform.controlPlane();
        JsonNode changed = api.create("changed at will");
        Map<String, String> names = new TreeMap<>(Map.of(
                "ref", ref(changed),
                "doomed", ref(api.create("deleted at will")),
                "id",
                        api.post("/tokens", Map.of("name", "changed"))
                                .expect(201)
                                .json()
                                .findPath("id")
                                .asText(),
                "name", "echo",
                "functionName", "echo",
                "function_slug", "echo",
                "slug", "echo",
                "key", "WORD",
                "version", "20260101000000"));
        List<Route> routes = new ArrayList<>(
                ControlRoutes.of(api.get("/openapi.json").expect(200).json(), names));
        assertThat(routes)
                .hasSizeGreaterThan(30)
                .allSatisfy(route -> assertThat(route.path()).doesNotContain("{"));
        routes.addAll(DataRoutes.all());
        return routes;
    }

    private static Addresses addresses(Platform platform, JsonNode neighbour) throws IOException {
        ControlPlane api = platform.controlPlane();
        JsonNode project = api.create("mutated");
        api.query(ref(project), DataRoutes.TABLES).expect(201);
        api.post(
                        "/projects/" + ref(project) + "/functions/deploy",
                        Map.of(
                                "name",
                                "echo",
                                "source",
                                "Deno.serve(async (r) => new Response(await r.text() || 'empty'));"))
                .expect(201);
        String anon = project.get("anon_key").asText();
        String service = api
                .get("/projects/" + ref(project) + "/api-keys?reveal=true")
                .expect(200)
                .json()
                .findValuesAsText("api_key")
                .stream()
                .filter(key -> key.startsWith("svc_service_"))
                .findFirst()
                .orElseThrow();
        String url = platform.connection().pathUrl(ref(project));
        post(url + "/storage/v1/bucket", service, "{\"name\":\"b\"}");
        post(url + "/storage/v1/object/b/o.txt", service, "\"content\"");
        String user = user(url, service);
        String weak = api.post("/tokens", Map.of("name", "weak"))
                .expect(201)
                .json()
                .findPath("token")
                .asText();
        URI origin = URI.create(platform.connection().dataUrl(ref(project)));
        return new Addresses(
                origin.getPort(),
                origin.getAuthority(),
                URI.create(url).getPath(),
                List.of(platform.connection().token(), weak, "svc_pat_gone"),
                List.of(anon, service, service, neighbour.get("anon_key").asText()),
                List.of(anon, service, service, user, user, user + "x"));
    }

    private static String user(String url, String service) throws IOException {
        String account = "{\"email\":\"fuzz@example.com\",\"password\":\"password1\",\"email_confirm\":true}";
        post(url + "/auth/v1/admin/users", service, account);
        return post(url + "/auth/v1/token?grant_type=password", service, account)
                .get("access_token")
                .asText();
    }

    private static JsonNode post(String url, String key, String body) throws IOException {
        return JSON.readTree(ControlPlane.send(HttpRequest.newBuilder(URI.create(url))
                        .header("apikey", key)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)))
                .expect(200)
                .body());
    }

    private static String ref(JsonNode project) {
        return project.get("ref").asText();
    }
}
