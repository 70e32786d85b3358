package svc.e2e.walk;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.AccountsStory;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** An application's users by an unchanged {@code @supabase/supabase-js}: what they own is theirs by row security. */
@ExtendWith(SharedPlatform.class)
class AccountsTest {

    @Test
    void usersSignUpOwnTheirRowsAndSignOut(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("accounts");
        String ref = project.get("ref").asText();
        Program.kubectl(
                platform,
                "patch",
                "project",
                ref,
                "-n",
                "svc",
                "--type=merge",
                "-p",
                "{\"spec\":{\"auth\":{\"email\":{\"autoconfirm\":true}}}}");
        Program.kubectl(platform, "wait", "project/" + ref, "-n", "svc", "--for=condition=Ready", "--timeout=180s");
        AccountsStory.play(platform, ref);
    }
}
