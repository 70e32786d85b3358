package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** An application's users who have accounts elsewhere, by an unchanged {@code @supabase/supabase-js}. */
@ExtendWith(SharedPlatform.class)
class ProvidersTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void usersSignInWithAccountsThatTheyHaveElsewhere(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("providers");
        String ref = project.get("ref").asText();
        var words = List.of(
                "node",
                PlatformCommand.root().resolve("e2e/client/providers.mjs").toString(),
                JSON.writeValueAsString(Map.of(
                        "api", platform.connection().baseUrl(),
                        "token", platform.connection().token(),
                        "ref", ref,
                        "url", platform.connection().pathUrl(ref),
                        "key", project.get("anon_key").asText(),
                        "schema", project.get("schema").asText())));
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));

        assertThat(seen.path("shown").asText()).contains("clientSecretRef").doesNotContain("hush");
        assertThat(seen.path("implicit"))
                .isEqualTo(
                        JSON.readTree("{\"email\":\"ann@example.com\",\"name\":\"Ann\",\"provider\":\"of-provider\"}"));
        assertThat(seen.path("landing").asText()).isEqualTo("https://shop.example/in");
        assertThat(seen.path("stolen").asText()).as("without the verifier").isNotEmpty();
        assertThat(seen.path("exchanged"))
                .isEqualTo(JSON.readTree(
                        "{\"email\":\"bob@example.com\",\"provider\":\"of-provider\",\"again\":\"again\"}"));
        assertThat(seen.path("byToken").asText()).isEqualTo("eve@example.com");
        assertThat(seen.path("wrongNonce").asText()).isEqualTo("Nonces mismatch");
        assertThat(seen.path("linked")).isEqualTo(JSON.readTree("[\"email\",\"google\"]"));
        assertThat(seen.path("rest")).isEqualTo(JSON.readTree("[\"email\"]"));
        assertThat(seen.path("last").asText()).isEqualTo("single_identity_not_deletable");
    }
}
