package svc.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.catalog.TestingSchema;
import svc.crds.project.service.OpenApiMode;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.Setting;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.pool.PoolSettings;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequestReader;
import svc.rest.response.Response;

/** What the root tells in each of its modes. */
class OpenApiModeTest {
    private static TestingSchema schema;
    private static TenantTransactions transactions;
    private static OpenApiRoot root;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("modes123", "CREATE TABLE hidden (id int); CREATE TABLE open (id int);");
        schema.run("REVOKE ALL ON hidden FROM " + anon());
        transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults(), schema.projects().roots()), Duration.ofSeconds(15));
        root = new OpenApiRoot(transactions, schema.schemas());
    }

    @AfterAll
    static void close() {
        transactions.close();
        schema.close();
    }

    private static String anon() {
        return schema.tenant().names().schemaName() + "_anon";
    }

    private static Response ask(OpenApiMode mode) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        Tenant made = schema.tenant();
        var tenant = new Tenant(
                made.ref(),
                made.names(),
                made.scope(),
                made.masterKeyVersion(),
                made.keyVersions(),
                made.database(),
                made.organization(),
                made.restUrl(),
                made.rest().withOpenapiMode(mode));
        var request = new DataPlaneRequest(
                tenant, Caller.anon(), HttpMethod.GET, "/", "", headers, Buffer.buffer(), null, "test", null);
        return root.answer(
                request,
                ApiRequestReader.read("GET", "/", "", headers, new byte[0]),
                List.of(Setting.of("role", anon())),
                tenant.names().schema());
    }

    private static String text(Response response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @Test
    void followsPrivileges() {
        assertThat(text(ask(OpenApiMode.FOLLOW_PRIVILEGES)))
                .contains("\"/open\"")
                .doesNotContain("hidden");
    }

    @Test
    void ignoresPrivileges() {
        assertThat(text(ask(OpenApiMode.IGNORE_PRIVILEGES)))
                .contains("\"/open\"")
                .contains("\"/hidden\"");
    }

    @Test
    void tellsNothing() {
        assertThatThrownBy(() -> ask(OpenApiMode.DISABLED))
                .isInstanceOfSatisfying(RestError.class, error -> {
                    assertThat(error.status()).isEqualTo(404);
                    assertThat(error.code()).isEqualTo("PGRST126");
                })
                .hasMessage("Root endpoint metadata is disabled");
    }
}
