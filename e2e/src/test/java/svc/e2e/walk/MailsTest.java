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

/** Every method of an unchanged {@code @supabase/auth-js} that needs a mail; the mails are read where {@code ./svc up} shows them. */
@ExtendWith(SharedPlatform.class)
class MailsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SETTINGS = """
            {"spec":{"auth":{"siteUrl":"https://app.example.com","email":{"minIntervalSeconds":0},
            "rateLimits":{"emailsPerHour":1000}}}}""";

    @Test
    void usersConfirmSignInRecoverMoveAndComeByInvitation(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("mails");
        String ref = project.get("ref").asText();
        Program.kubectl(platform, "patch", "project", ref, "-n", "svc", "--type=merge", "-p", SETTINGS);
        Program.kubectl(platform, "wait", "project/" + ref, "-n", "svc", "--for=condition=Ready", "--timeout=60s");
        String serviceKey = platform
                .controlPlane()
                .get("/projects/" + ref + "/api-keys?reveal=true")
                .expect(200)
                .json()
                .findValuesAsText("api_key")
                .stream()
                .filter(key -> key.startsWith("svc_service_"))
                .findFirst()
                .orElseThrow();
        var words = List.of(
                "node",
                PlatformCommand.root().resolve("e2e/client/mails.mjs").toString(),
                JSON.writeValueAsString(Map.of(
                        "url", platform.connection().pathUrl(ref),
                        "key", project.get("anon_key").asText(),
                        "serviceKey", serviceKey,
                        "mailUrl", platform.connection().mailUrl())));
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));

        assertThat(seen).isEqualTo(JSON.readTree("""
                {"noSessionYet":true,"tooEarly":"email_not_confirmed","wrongCode":"otp_expired","confirmed":"ann@example.com",
                 "twice":[],"mailsToBob":2,"landed":"https://app.example.com","bob":"bob@example.com",
                 "usedLink":"otp_expired","cat":"Cat","stranger":"otp_disabled","pkce":"dan@example.com",
                 "resetLeadsTo":"https://app.example.com/reset","newPassword":"ann@example.com",
                 "newEmail":"ann@new.example.com","half":true,"moved":"ann@new.example.com","invited":7,
                 "eve":"eve@example.com","link signup":"fay@example.com","link magiclink":"eve@example.com",
                 "link recovery":"eve@example.com"}"""));
    }
}
