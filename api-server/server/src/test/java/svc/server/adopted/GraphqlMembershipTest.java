package svc.server.adopted;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Promise: what a role of an adopted database may use by its membership in another is seen by the next GraphQL request. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class GraphqlMembershipTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Test
    void grantedAndRevokedMembershipsAreSeenByTheNextRequest() {
        var database = AdoptedDatabaseForTests.adopt(client, tenants);
        String user = database.role("todo_user");
        String readers = database.role("readers");
        database.sql("CREATE ROLE " + readers + " NOLOGIN; CREATE TABLE api.note (id int PRIMARY KEY, body text);"
                + " INSERT INTO api.note VALUES (1, 'n'); GRANT SELECT ON api.note TO " + readers);
        Http ann = database.as(user, "ann").with("Content-Type", "application/json");
        assertThat(notes(ann).at("/errors/0/message").asText())
                .isEqualTo("Unknown field \"noteCollection\" on type Query");

        database.sql("GRANT " + readers + " TO " + user);
        assertThat(notes(ann).at("/data/noteCollection/edges/0/node/body").asText())
                .isEqualTo("n");

        database.sql("REVOKE " + readers + " FROM " + user);
        assertThat(notes(ann).at("/errors/0/message").asText())
                .isEqualTo("Unknown field \"noteCollection\" on type Query");
    }

    private static JsonNode notes(Http caller) {
        return caller.send("POST", "/graphql/v1", "{\"query\":\"{ noteCollection { edges { node { body } } } }\"}")
                .json();
    }
}
