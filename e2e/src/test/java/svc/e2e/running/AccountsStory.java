package svc.e2e.running;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import svc.e2e.platform.Platform;

/** An application's users by an unchanged {@code @supabase/supabase-js}: what they own is theirs by row security. */
public final class AccountsStory {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLES = """
            CREATE TABLE public.notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL,
                owner uuid NOT NULL DEFAULT auth.uid() REFERENCES auth.users ON DELETE CASCADE);
            ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON public.notes TO authenticated USING (owner = auth.uid()) WITH CHECK (owner = auth.uid());
            CREATE TABLE public.profiles (id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE, name text);
            ALTER TABLE public.profiles ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON public.profiles FOR SELECT TO authenticated USING (id = auth.uid());
            CREATE FUNCTION public.handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
            BEGIN
                INSERT INTO public.profiles (id, name) VALUES (new.id, new.raw_user_meta_data ->> 'name');
                RETURN new;
            END $$;
            CREATE TRIGGER on_auth_user_created AFTER INSERT ON auth.users
                FOR EACH ROW EXECUTE FUNCTION public.handle_new_user();
            """;

    private AccountsStory() {}

    /** Plays it in a project that confirms addresses by itself. */
    public static void play(Platform platform, String ref) throws IOException {
        JsonNode project =
                platform.controlPlane().get("/projects/" + ref).expect(200).json();
        platform.controlPlane().query(ref, TABLES).expect(201);
        JsonNode seen = ClientProgram.run(platform, project, "accounts.mjs", Map.of());

        String ann = seen.path("user").path("id").asText();
        assertThat(seen.path("user").path("user_metadata").path("name").asText())
                .isEqualTo("Ann");
        assertThat(seen.path("inserted")).isEqualTo(JSON.readTree("[{\"body\":\"mine\",\"owner\":\"" + ann + "\"}]"));
        assertThat(seen.path("claims").path("sub").asText()).isEqualTo(ann);
        assertThat(seen.path("refreshed").asBoolean()).isTrue();
        assertThat(seen.path("renamed").asText()).isEqualTo("Anna");
        assertThat(seen.path("profile")).isEqualTo(JSON.readTree("[{\"id\":\"" + ann + "\",\"name\":\"Ann\"}]"));
        assertThat(seen.path("seenByBob")).isEmpty();
        assertThat(seen.path("anonymous")).isEmpty();
        assertThat(seen.path("wrong").asText()).isEqualTo("invalid_credentials");
        assertThat(seen.path("twice").asText()).isEqualTo("user_already_exists");
        assertThat(seen.path("ended").asText())
                .as("a global sign-out ends every session")
                .isNotEmpty();
        assertThat(seen.path("listed")).isEqualTo(JSON.readTree("[\"ann@example.com\",\"bob@example.com\"]"));
        assertThat(seen.path("plan").asText()).isEqualTo("pro");
        assertThat(seen.path("gone").asText()).isEqualTo("user_not_found");
    }
}
