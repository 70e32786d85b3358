package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.ClientProgram;
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
        platform.controlPlane()
                .get("/projects/" + ref + "?wait=ready&timeout_ms=30000")
                .expect(200);
        JsonNode seen = ClientProgram.run(
                platform,
                project,
                "mails.mjs",
                Map.of("mailUrl", platform.connection().mailUrl()));

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
