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

/**
 * Second factors, phones and hooks by an unchanged {@code @supabase/supabase-js}: row security sees the level of a session,
 * functions of the project send messages and add claims.
 */
@ExtendWith(SharedPlatform.class)
class FactorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLES = """
            CREATE TABLE public.secrets (body text NOT NULL);
            ALTER TABLE public.secrets ENABLE ROW LEVEL SECURITY;
            CREATE POLICY strong ON public.secrets TO authenticated USING (auth.jwt() ->> 'aal' = 'aal2');
            INSERT INTO public.secrets VALUES ('the plan');
            CREATE TABLE public.messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, phone text, otp text);
            ALTER TABLE public.messages ENABLE ROW LEVEL SECURITY;
            CREATE FUNCTION public.send_sms(event jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO public.messages (phone, otp) VALUES (event -> 'sms' ->> 'phone', event -> 'sms' ->> 'otp');
                RETURN '{}';
            END $$;
            CREATE FUNCTION public.add_plan(event jsonb) RETURNS jsonb LANGUAGE sql AS $$
                SELECT jsonb_set(event, '{claims,plan}', '"gold"') $$;
            GRANT EXECUTE ON FUNCTION public.add_plan, public.send_sms TO supabase_auth_admin;
            REVOKE EXECUTE ON FUNCTION public.add_plan, public.send_sms FROM authenticated, anon, public;
            """;

    @Test
    void usersProveFactorsAndPhones(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("factors");
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
                "{\"spec\":{\"auth\":{\"email\":{\"autoconfirm\":true},\"phone\":{\"enabled\":true,\"minIntervalSeconds\":0},"
                        + "\"mfa\":{\"phone\":true},\"hooks\":{\"sendSms\":{\"function\":\"public.send_sms\"},"
                        + "\"customAccessToken\":{\"function\":\"public.add_plan\"}}}}}");
        platform.controlPlane().query(ref, TABLES).expect(201);
        Program.kubectl(platform, "wait", "project/" + ref, "-n", "svc", "--for=condition=Ready", "--timeout=180s");
        JsonNode seen = ClientProgram.run(platform, project, "factors.mjs", Map.of());

        assertThat(seen.path("qr").asText()).startsWith("data:image/svg+xml;utf-8,<svg");
        assertThat(seen.path("same").asText()).isEqualTo("mfa_factor_name_conflict");
        assertThat(seen.path("wrong").asText()).isEqualTo("mfa_verification_failed");
        assertThat(seen.path("secretBefore")).isEmpty();
        assertThat(seen.path("secretAfter")).isEqualTo(JSON.readTree("[{\"body\":\"the plan\"}]"));
        assertThat(seen.path("level").asText()).isEqualTo("aal2");
        assertThat(seen.path("factors").asInt()).isEqualTo(1);
        assertThat(seen.path("weakLevel").path("currentLevel").asText()).isEqualTo("aal1");
        assertThat(seen.path("weakLevel").path("nextLevel").asText()).isEqualTo("aal2");
        assertThat(seen.path("weakChange").asText()).isEqualTo("insufficient_aal");
        assertThat(seen.path("weakUnenroll").asText()).isEqualTo("insufficient_aal");
        assertThat(seen.path("adminFactors")).isEqualTo(JSON.readTree("[\"verified\"]"));
        assertThat(seen.path("unenrolled").asBoolean()).isTrue();
        assertThat(seen.path("levelAfter").asText()).isEqualTo("aal1");
        assertThat(seen.path("deleted").asBoolean()).isTrue();
        assertThat(seen.path("phoneLevel").asText()).isEqualTo("aal2");
        assertThat(seen.path("waiting").isNull()).isTrue();
        assertThat(seen.path("confirmed").asText()).isEqualTo("491700000002");
        assertThat(seen.path("plan").asText())
                .as("a claim that the project adds")
                .isEqualTo("gold");
        assertThat(seen.path("byCode").asText()).isEqualTo("491700000003");
        assertThat(seen.path("moved").asText()).isEqualTo("491700000004");
        assertThat(seen.path("resent").isNull()).isTrue();
        assertThat(seen.path("signedOut").isNull()).isTrue();
        assertThat(seen.path("afterwards").asText()).isEqualTo("AuthSessionMissingError");
    }
}
