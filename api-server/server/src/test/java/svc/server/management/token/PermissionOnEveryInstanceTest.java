package svc.server.management.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Clock;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.management.PlatformPassword;
import svc.management.token.Permission;
import svc.management.token.TokenAuthentication;
import svc.management.token.TokenRepository;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** A changed permission is effective from the next call on, on every instance. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class PermissionOnEveryInstanceTest {
    @Inject
    ApiConfig config;

    @Inject
    PurposeRoots roots;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private PlatformDatabase database;
    private TokenAuthentication second;

    /** Another api-server instance, with database connections of its own. */
    @BeforeEach
    void startAnotherInstance() {
        database = new PlatformDatabase(
                ConfigProvider.getConfig().getValue("svc.api.platform.url", String.class),
                () -> PlatformPassword.of(config, roots),
                PoolSettings.defaults().withCap(2));
        second = new TokenAuthentication(new TokenRepository(database), Clock.systemUTC());
    }

    @AfterEach
    void stopIt() {
        database.close();
    }

    private Http.Answer query(String token) {
        return Http.api(token).send("POST", "/v1/projects/nothere1/database/query", "{\"query\":\"SELECT 1\"}");
    }

    @Test
    void holdsFromTheNextCallOn() {
        JsonNode made = api.send("POST", "/v1/tokens", "{\"name\":\"t\"}").json();
        String token = made.findValue("token").asText();
        String path = "/v1/tokens/" + made.findValue("id").asText();
        for (int i = 0; i < 3; i++) {
            assertThat(query(token).code()).isEqualTo("pat_database_query_forbidden");
            assertThat(second.authenticate("Bearer " + token).may(Permission.DATABASE_QUERY))
                    .isFalse();
            api.send("PATCH", path, "{\"permissions\":{\"database_query\":true}}");
            assertThat(second.authenticate("Bearer " + token).may(Permission.DATABASE_QUERY))
                    .isTrue();
            assertThat(query(token).code()).isEqualTo("project_not_found");
            api.send("PATCH", path, "{\"permissions\":{\"database_query\":false}}");
        }
    }
}
