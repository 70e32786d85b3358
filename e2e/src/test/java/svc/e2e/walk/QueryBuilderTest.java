package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/**
 * Every call of supabase-js's query builder against the packaged platform, with the data and errors that the client shows;
 * the calls and what is expected of them are {@code e2e/client/queries}. Users' tokens come from elsewhere, as those of an
 * application that has its own sign-in.
 */
@ExtendWith(SharedPlatform.class)
class QueryBuilderTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "queries";
    private static final String SECRET = "a secret that signs the users' tokens";
    private static final int MIN_CHECKS = 70;

    private static final String MANIFEST = """
            apiVersion: v1
            kind: Secret
            metadata: { name: queries-tokens }
            stringData: { secret: "%s" }
            ---
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: queries }
            spec:
              name: Queries
              deletionPolicy: Delete
              rest: { aggregates: true, plan: true, txEnd: CommitAllowOverride }
              auth:
                jwt:
                  verifyKeys: [{ name: app, type: HS256, secretKeyRef: { name: queries-tokens, key: secret } }]
            """.formatted(SECRET);

    @Test
    void theWholeQueryBuilderWorks(Platform platform) throws Exception {
        String ref = serve(platform);
        platform.controlPlane()
                .query(ref, Files.readString(script("queries/tables.sql")))
                .expect(201);
        JsonNode seen = JSON.readTree(run(input(platform, ref)));
        assertThat(seen.get("failed")).isEmpty();
        assertThat(seen.get("passed")).hasSizeGreaterThanOrEqualTo(MIN_CHECKS);
    }

    private static String serve(Platform platform) throws Exception {
        Path manifest = Files.createTempFile("svc-e2e-", ".yaml");
        try {
            Files.writeString(manifest, MANIFEST);
            Program.kubectl(platform, "apply", "-f", manifest.toString());
        } finally {
            Files.delete(manifest);
        }
        Program.kubectl(platform, "wait", "project/" + NAME, "--for=condition=Ready", "--timeout=180s");
        return Program.kubectl(platform, "get", "project", NAME, "-o", "jsonpath={.status.ref}");
    }

    private static String input(Platform platform, String ref) throws Exception {
        JsonNode keys = platform.controlPlane()
                .get("/projects/" + ref + "/api-keys?reveal=true")
                .expect(200)
                .json();
        JsonNode project =
                platform.controlPlane().get("/projects/" + ref).expect(200).json();
        return JSON.writeValueAsString(Map.of(
                "url", platform.connection().pathUrl(ref),
                "key", keys.get(0).get("api_key").asText(),
                "serviceKey", keys.get(1).get("api_key").asText(),
                "schema", project.get("schema").asText(),
                "secret", SECRET));
    }

    private static String run(String input) throws Exception {
        List<String> words = List.of("node", script("queries.mjs").toString(), input);
        return Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words);
    }

    private static Path script(String name) {
        return PlatformCommand.root().resolve("e2e/client").resolve(name);
    }
}
