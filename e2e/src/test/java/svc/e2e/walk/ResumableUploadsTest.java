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

/** Files by an unchanged {@code tus-js-client}, as Supabase documents it. */
@ExtendWith(SharedPlatform.class)
class ResumableUploadsTest {
    private static final String POLICIES = """
        INSERT INTO storage.buckets (id, name) VALUES ('files', 'files');
        CREATE POLICY "own folder" ON storage.objects FOR INSERT TO authenticated
        WITH CHECK (bucket_id = 'files' AND (storage.foldername(name))[1] = auth.uid()::text
            AND storage.operation() LIKE 'storage.tus.upload.%');
        """;

    @Test
    void anApplicationUploadsInChunks(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("chunks");
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
        platform.controlPlane().query(ref, POLICIES).expect(201);
        Program.kubectl(platform, "wait", "project/" + ref, "-n", "svc", "--for=condition=Ready", "--timeout=180s");
        JsonNode seen = ClientProgram.run(platform, project, "resumable.mjs", Map.of("step", "all"));

        assertThat(seen.toPrettyString())
                .isEqualTo(new ObjectMapper().readTree("""
                    {
                      "location": true,
                      "six": true,
                      "odd": true,
                      "whole": true,
                      "small": true,
                      "empty": true,
                      "parallel": true,
                      "unnamed": "400 Upload-Metadata must have the key bucketName, also of a partial upload (metadataForPartialUploads of tus-js-client)",
                      "posted": true,
                      "ended": 404,
                      "signed": true,
                      "own": true,
                      "other": "403 new row violates row-level security policy",
                      "exists": "409 The resource already exists",
                      "anyone": "403 new row violates row-level security policy",
                      "tooLarge": "413 Maximum size exceeded"
                    }
                    """).toPrettyString());
    }
}
