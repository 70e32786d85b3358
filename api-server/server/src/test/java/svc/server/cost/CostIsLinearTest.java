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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import svc.server.management.query.TestingProject;
import svc.server.testing.TestingPlatform;
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
    private static final List<String> FOR_THE_SERVICE_KEY =
            List.of("/admin/", "/invite", "/bucket", "/rest/v1/", "/graphql");

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
        for (Call call : new DataCalls(host).all(routes())) {
            boolean open = isOpen(call);
            tests.add(walked("stranger", call, open));
            tests.add(walked("anon key", call.with("apikey: " + project.anonKey()), true));
            if (FOR_THE_SERVICE_KEY.stream().anyMatch(call.route()::contains)) {
                tests.add(walked("service key", call.with("apikey: " + project.serviceKey()), true));
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

    private DynamicTest walked(String caller, Call call, boolean readsBody) {
        Stream<Dimension> body = readsBody ? bodies(call, DATA_BODY_BYTES) : Stream.empty();
        return test(caller + ": " + call.route(), Stream.concat(Dimension.ofTarget(call), body));
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

    /** Of one call with a body and one without of each service, and of the control plane. */
    @TestFactory
    Stream<DynamicTest> headers() {
        Map<String, Call> calls = new LinkedHashMap<>();
        for (Call call : new DataCalls(host).all(routes())) {
            String service = call.path().split("/", 3)[1];
            // Hashing a password takes longer than all of the rest.
            if (call.body().contains("password")) {
                continue;
            }
            calls.putIfAbsent(service + call.body().isEmpty(), call);
        }
        calls.put("s3", Call.of("GET", host, "/storage/v1/s3/b/o"));
        calls.put(
                "resumable",
                Call.of("POST", host, "/storage/v1/upload/resumable").with("Tus-Resumable: 1.0.0"));
        calls.put("control", Call.of("GET", ControlCalls.HOST, "/v1/projects"));
        List<DynamicTest> tests = new ArrayList<>();
        for (Call call : calls.values()) {
            tests.add(test("stranger: headers of " + call.route(), Dimension.ofHeaders(call)));
            if (call.host().equals(host)) {
                Call keyed = call.with("apikey: " + project.anonKey());
                tests.add(test("anon key: headers of " + call.route(), Dimension.ofHeaders(keyed)));
            }
        }
        return tests.stream();
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
