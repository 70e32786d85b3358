package svc.server.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.arc.All;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import svc.management.query.SqlQuota;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.dataplane.ServiceDirectory;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/**
 * Promise: whatever a stranger or a tenant sends, its cost is linear in the bytes received. Each route of both planes is called
 * with each of its parts long, at two sizes; {@link Growth} judges. A new route is walked by itself, or fails until {@code
 * calls.txt} has a body for it.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@TestProfile(MeasuredProject.RealServices.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CostIsLinearTest {
    /** Below the limits of {@link TestingPlatform}: 64 and 128 KiB. */
    private static final int CONTROL_BODY_BYTES = 60_000;

    private static final int DATA_BODY_BYTES = 120_000;

    /** Before credentials are read, a request to the control plane has a path only. */
    private static final int FEW = 4;

    /** Other calls read the same for both keys. */
    private static final Pattern FOR_THE_SERVICE_KEY = Pattern.compile("/admin/|/invite|/bucket|/rest/v1/$|/graphql");

    /** Dimensions of one route that a failure names; each may take seconds. */
    private static final int MAX_NAMED = 3;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    @All
    List<DataPlaneService> services;

    @Inject
    @All
    List<DataPlaneStream> streams;

    @Inject
    ServiceDirectory directory;

    private final HttpWire http = new HttpWire();
    private final Growth overHttp = new Growth(http::work);
    private MeasuredProject project;
    private String host;

    @BeforeEach
    void prepare() {
        QuarkusMock.installMockForType(() -> Integer.MAX_VALUE, SqlQuota.class);
        if (project == null) {
            project = MeasuredProject.create(client, tenants);
            host = project.host();
        }
    }

    @AfterEach
    void close() {
        http.close();
    }

    /** The routes that services name, with the prefixes of their paths. */
    private List<String> routes() {
        Map<String, List<String>> calls = new TreeMap<>();
        services.forEach(service -> calls.put(service.name(), service.calls()));
        streams.forEach(stream -> calls.put(stream.name(), stream.calls()));
        return calls.entrySet().stream()
                .flatMap(service -> service.getValue().stream()
                        .map(call -> call.replaceFirst(" ", " /" + service.getKey() + "/v1")))
                .toList();
    }

    @Test
    void everyRouteWithABodyHasOne() {
        assertThat(routes()).hasSizeGreaterThan(100);
        assertThat(new DataCalls(host).missing(routes()))
                .as("add a line for each of these routes to calls.txt: the route, and a body that it accepts")
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> dataPlane() {
        List<DynamicTest> tests = new ArrayList<>();
        tests.add(test(
                "stranger: a key in the query", Dimension.ofTarget(Call.of("GET", host, "/rest/v1/list?apikey=a"))));
        for (Call call : new DataCalls(host).all(routes())) {
            tests.add(ofStranger(call));
            tests.add(walked("anon key", call.with("apikey: " + project.anonKey())));
            if (FOR_THE_SERVICE_KEY.matcher(call.route()).find()) {
                tests.add(walked("service key", call.with("apikey: " + project.serviceKey())));
            }
        }
        return tests.stream();
    }

    private boolean isOpen(Call call) {
        return directory
                .cut(call.path())
                .filter(path -> path.isUnauthenticated(HttpMethod.valueOf(call.method())))
                .isPresent();
    }

    /** Before credentials are read, a request has a path and names of parameters only. */
    private DynamicTest ofStranger(Call call) {
        return isOpen(call)
                ? walked("stranger", call)
                : test("stranger: " + call.route(), Dimension.ofTarget(call.withQuery("")));
    }

    private DynamicTest walked(String caller, Call call) {
        return test(
                caller + ": " + call.route(), Stream.concat(Dimension.ofTarget(call), bodies(call, DATA_BODY_BYTES)));
    }

    private static Stream<Dimension> bodies(Call call, int size) {
        if (call.sendsJson()) {
            return LongJson.of(call.text())
                    .map(form -> new Dimension(
                            "body: " + form.name(),
                            size,
                            n -> call.withBody(form.text().apply(n))));
        }
        return call.body().isEmpty()
                ? Stream.empty()
                : Stream.of(Shape.values())
                        .map(shape -> new Dimension(
                                "body of " + shape, size, n -> call.withBody(call.text() + shape.text(n))));
    }

    /** Known ones of each service with its most capable caller: each form, and each repeated. */
    @TestFactory
    Stream<DynamicTest> knownHeaders() {
        return cheapCalls().map(call -> test("headers of " + call.route(), Dimension.ofHeaders(call)));
    }

    /** Every name that the API server may read: a new one is walked by itself. */
    @TestFactory
    Stream<DynamicTest> headersOfEveryName() {
        List<String> names = HeaderNames.all();
        Stream<Call> strangers =
                Stream.of(Call.of("GET", host, "/rest/v1/list"), Call.of("GET", ControlCalls.HOST, "/v1/projects"));
        return Stream.concat(strangers, cheapCalls())
                .map(call -> Map.entry(call, Dimension.ofHeaders(call, names).toList()))
                .map(all -> DynamicTest.dynamicTest(
                        "headers of every name of " + all.getKey().route(),
                        () -> assertThat(all.getValue().stream()
                                        .flatMap(each ->
                                                overHttp.problemOfLong(each.name(), each::bytes, each.size()).stream())
                                        .limit(MAX_NAMED))
                                .isEmpty()));
    }

    /** One of each reader of headers. */
    private Stream<Call> cheapCalls() {
        String key = "apikey: " + project.anonKey();
        return Stream.of(
                Call.of("GET", host, "/rest/v1/list").with(key),
                Call.of("POST", host, "/rest/v1/list").with(key).withBody("[]"),
                Call.of("GET", host, "/auth/v1/settings").with(key),
                Call.of("GET", host, "/storage/v1/object/public/b/o"),
                Call.of("POST", host, "/storage/v1/object/b/o").with(key).withBody("x"),
                Call.of("GET", host, "/storage/v1/s3/b/o"),
                Call.of("POST", host, "/storage/v1/upload/resumable").with(key).with("Tus-Resumable: 1.0.0"),
                Call.of("GET", host, "/graphql/v1?query=%7B__typename%7D").with(key),
                Call.of("GET", host, "/functions/v1/absent").with(key),
                Call.of("GET", host, "/realtime/v1/api/ping").with(key),
                Call.of("GET", host, "/realtime/v1/websocket?vsn=1.0.0").with(key),
                Call.of("GET", ControlCalls.HOST, "/v1/projects")
                        .with("Authorization: Bearer " + TestingPlatform.ADMIN));
    }

    @TestFactory
    Stream<DynamicTest> controlPlane() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Call call : new ControlCalls(
                        Http.api(TestingPlatform.ADMIN).get("/v1/openapi.json").json(), changed())
                .all()) {
            Call admin = call.with("Authorization: Bearer " + TestingPlatform.ADMIN);
            tests.add(test("stranger: " + call.route(), Dimension.ofTarget(call).limit(FEW)));
            tests.add(test(
                    "owner: " + call.route(),
                    Stream.concat(Dimension.ofTarget(admin), bodies(admin, CONTROL_BODY_BYTES))));
        }
        return tests.stream();
    }

    /** A project of their own: a change of its settings takes it away from the database of the tests. */
    private String changed() {
        return TestingProject.create(client, tenants, "changed").ref();
    }

    @TestFactory
    Stream<DynamicTest> products() {
        var storage = new StorageProducts(host, project.ref(), project.anonKey(), DATA_BODY_BYTES);
        var others = new Products(host, project.anonKey(), DATA_BODY_BYTES, call -> http.send(call.bytes()));
        return Stream.concat(storage.all(), others.all()).map(product -> test(product.name(), Stream.of(product)));
    }

    private DynamicTest test(String name, Stream<Dimension> dimensions) {
        List<Dimension> all = dimensions.toList();
        return DynamicTest.dynamicTest(
                name,
                () -> assertThat(all.stream()
                                .flatMap(each -> overHttp.problem(each.name(), each::bytes, each.size()).stream())
                                .limit(MAX_NAMED)
                                .toList())
                        .as(name)
                        .isEmpty());
    }
}
