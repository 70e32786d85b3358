package svc.server.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import svc.crds.project.ProjectIdentity;
import svc.database.project.companion.CompanionSchema;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A project with tables that the calls are about, and with all services in its database. */
record MeasuredProject(String ref, String anonKey, String serviceKey) {
    private static final String TABLES = """
            CREATE TABLE list (id int PRIMARY KEY, name text);
            CREATE TABLE todo (id int PRIMARY KEY, list int REFERENCES list, title text, tags text[], info jsonb);
            CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
            CREATE FUNCTION whole(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';
            CREATE TABLE long AS SELECT repeat('x', 6000000) AS text;
            GRANT SELECT ON long TO anon;
            GRANT SELECT, INSERT, UPDATE, DELETE ON list, todo TO anon;
            """;

    /** Without the stand-in for the realtime service, and with time to look at what waits. */
    public static final class RealServices implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.arc.exclude-types",
                    "svc.server.testing.EchoService",
                    "svc.api.limits.body-grace",
                    "60s",
                    "svc.api.limits.connections.head",
                    "60s",
                    "svc.api.limits.connections.stalled",
                    "60s");
        }
    }

    static MeasuredProject create(KubernetesClient client, TenantDirectory tenants) {
        TestingProject project = TestingProject.create(client, tenants, "cost");
        for (CompanionSchema service : CompanionSchema.values()) {
            project.owner().complete(service);
        }
        String script = "{\"query\":" + TextNode.valueOf(TABLES) + "}";
        Http.Answer made = Http.api(TestingPlatform.ADMIN).send("POST", project.path(), script);
        assertThat(made.status()).as(made.toString()).isLessThan(300);
        var keys = new ProjectForTests(
                new ProjectIdentity(project.ref(), project.owner().names().projectId()));
        return new MeasuredProject(project.ref(), keys.anonKey(), keys.serviceKey());
    }

    String host() {
        return ref + ".data.example";
    }
}
