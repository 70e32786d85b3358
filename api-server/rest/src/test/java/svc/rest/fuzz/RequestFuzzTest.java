package svc.rest.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;
import svc.rest.fuzz.RawConnection.Reply;
import svc.testing.FuzzSeed;

/**
 * Fuzzes whole requests: every mutation of a valid request gets a response in PostgREST's format, never a server error and
 * never none.
 */
class RequestFuzzTest {
    private static final int CALLERS = 8;
    private static final int MUTATIONS_EACH = 1_500;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final Set<String> ERROR_KEYS = Set.of("code", "details", "hint", "message");
    /** The error of a batch says which of its requests failed. */
    private static final Set<String> BATCH_ERROR_KEYS = Set.of("code", "details", "hint", "message", "request");

    /** A numeric may have more digits than Jackson reads by itself. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(1_000_000)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final List<FuzzRequest> VALID = List.of(
            FuzzRequest.get(
                    "/projects", "select=id,c:clients!client_id(name),tasks!inner(id,users(*))&tasks.order=id.desc"),
            FuzzRequest.get("/projects", "select=id,...clients(n:name)&order=clients(n).desc.nullslast,id&limit=2"),
            FuzzRequest.get("/clients", "select=name,...projects(pid:id)&projects.limit=2&projects.order=id"),
            FuzzRequest.get("/projects", "select=client_id,t:budget::int.sum()::text,count()&having=(t.gt.1)"),
            FuzzRequest.get("/projects", "select=client_id&distinct=client_id&budget=gt(any).{1,2}"),
            FuzzRequest.get(
                    "/todo", "select=extra->k->>n,tags->0&or=(id.in.(1,2),and(done.is.not_null,due.gt.2026-01-01))"),
            FuzzRequest.get("/todo", "tsv=wfts(english).wash&r=ov.[1,9)&tags=cs.{a}&\"odd%20col\"=neq.x"),
            FuzzRequest.get("/tasks", "select=id,projects(name,clients())&projects.clients=not.is.null"),
            FuzzRequest.get("/staff", "select=name,boss(name),staff!boss(name)&id=in.(1,\"2\",3)&limit=1&offset=1"),
            FuzzRequest.get("/rpc/add", "a=1&b=2"),
            FuzzRequest.get("/rpc/found", "lowest=1&select=id,clients(name)&name=like.*o*&order=id&limit=2"),
            FuzzRequest.get("/", ""),
            FuzzRequest.of(
                    "POST",
                    "/",
                    "",
                    "[{\"method\":\"PATCH\",\"path\":\"/sink?id=eq.1\",\"body\":{\"t\":\"b\"}},"
                            + "{\"method\":\"POST\",\"path\":\"/rpc/add\",\"body\":{\"a\":1}},"
                            + "{\"method\":\"GET\",\"path\":\"/clients?select=id\"}]"),
            FuzzRequest.of("POST", "/rpc/add", "", "{\"a\":1,\"b\":2}"),
            FuzzRequest.of("POST", "/rpc/echo", "", "{\"deep\":{\"er\":[1,2,{\"est\":null}]}}"),
            FuzzRequest.of("POST", "/sink", "select=id,t&columns=t,j,n", "[{\"t\":\"x\",\"j\":{\"a\":1},\"n\":1.5}]")
                    .with("Prefer", "return=representation"),
            FuzzRequest.of("POST", "/sink", "", "[{\"t\":\"x\"},{\"t\":null}]").with("Prefer", "missing=default"),
            FuzzRequest.of("POST", "/sink", "on_conflict=id", "{\"id\":7,\"t\":\"up\"}")
                    .with("Prefer", "resolution=merge-duplicates"),
            FuzzRequest.of("POST", "/sink", "", "t,n\r\n\"a \"\"b\"\"\",1\r\nNULL,2\r\n")
                    .with("Content-Type", "text/csv"),
            FuzzRequest.of("POST", "/sink", "", "t=a%20b&n=3")
                    .with("Content-Type", "application/x-www-form-urlencoded"),
            FuzzRequest.of("PUT", "/sink", "id=eq.9", "{\"id\":9,\"t\":\"put\"}"),
            FuzzRequest.of("PATCH", "/sink", "id=eq.1&select=t", "{\"t\":\"changed\",\"j\":[1,2]}")
                    .with("Prefer", "return=representation, handling=strict, max-affected=1"),
            FuzzRequest.of("DELETE", "/sink", "id=gt.100&t=is.null", "").with("Prefer", "count=exact"));

    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE TABLE sink (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, t text DEFAULT 'none', j jsonb,
                    n numeric, d date, b bytea, a int[]);
                CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
                CREATE FUNCTION echo(json) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT $1';
                CREATE FUNCTION found(lowest int) RETURNS SETOF projects LANGUAGE sql STABLE
                    AS 'SELECT * FROM projects WHERE id >= lowest';
                """);
    }

    @Test
    void everyAnswerIsAboutTheRequest() throws Exception {
        long seed = FuzzSeed.of(20_26);
        assertThat(faults(seed)).as("seed %d", seed).isEmpty();
    }

    private static Queue<String> faults(long seed) throws Exception {
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Callable<Void>> walks = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                long own = seed * CALLERS + i;
                walks.add(() -> walk(own, faults));
            }
            for (Future<Void> walk : callers.invokeAll(walks)) {
                walk.get();
            }
        }
        return faults;
    }

    private static Void walk(long seed, Queue<String> faults) throws IOException {
        var mutations = new Mutations(seed, VALID);
        try (var connection = new RawConnection(fixture.plane().port(), TIMEOUT_MILLIS)) {
            for (int i = 0; i < MUTATIONS_EACH; i++) {
                FuzzRequest request = mutations.next().of(fixture.tenant().ref());
                fault(request, connection).ifPresent(fault -> faults.add(fault + "\n  of " + request));
            }
        }
        return null;
    }

    private static Optional<String> fault(FuzzRequest request, RawConnection connection) throws IOException {
        Reply reply;
        try {
            reply = connection.send(request);
        } catch (IOException e) {
            connection.close();
            return Optional.of("no answer: " + e);
        }
        String shown = reply.status() + " " + reply.headers() + " " + reply.body();
        boolean bare = request.method().equals("HEAD");
        if (reply.status() >= 500) {
            return Optional.of(shown);
        }
        if (reply.status() >= 300 && !bare && !isError(reply)) {
            return Optional.of("not PostgREST's error: " + shown);
        }
        boolean json = reply.headers().getOrDefault("content-type", "").contains("json");
        if (reply.status() < 300 && json && !bare && !isJson(reply.body())) {
            return Optional.of("not JSON: " + shown);
        }
        // to_tsquery gives this code to a search that it cannot read.
        boolean syntax = reply.body().contains("\"42601\"") && !reply.body().contains("syntax error in tsquery");
        return syntax ? Optional.of(shown) : Optional.empty();
    }

    private static boolean isError(Reply reply) {
        try {
            JsonNode error = JSON.readTree(reply.body());
            Set<String> keys = new TreeSet<>();
            error.fieldNames().forEachRemaining(keys::add);
            return reply.headers().getOrDefault("content-type", "").startsWith("application/json")
                    && (keys.equals(ERROR_KEYS) || keys.equals(BATCH_ERROR_KEYS))
                    && error.get("code").isTextual()
                    && error.get("message").isTextual();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static boolean isJson(String body) {
        try {
            return body.isEmpty() || !JSON.readTree(body).isMissingNode();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
