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

/** Files by an unchanged {@code @supabase/supabase-js}, and by the newest storage client, with Supabase's own policies on {@code storage.objects}. */
@ExtendWith(SharedPlatform.class)
class StorageTest {
    private static final String POLICIES = """
        CREATE POLICY "own folder" ON storage.objects FOR ALL TO authenticated
        USING (bucket_id = 'private' AND (storage.foldername(name))[1] = auth.uid()::text)
        WITH CHECK (bucket_id = 'private' AND (storage.foldername(name))[1] = auth.uid()::text);
        """;

    @Test
    void anApplicationKeepsFiles(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("files");
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
        JsonNode seen = ClientProgram.run(platform, project, "storage.mjs", Map.of());

        assertThat(seen.toPrettyString())
                .isEqualTo(new ObjectMapper().readTree("""
                    {
                      "bucket": "avatars",
                      "again": "400 409 The resource already exists",
                      "buckets": ["avatars", "private"],
                      "limit": 1000000,
                      "updated": "Successfully updated",
                      "denied": "400 403 new row violates row-level security policy",
                      "uploaded": "avatars/a/text.txt",
                      "duplicate": "400 409 The resource already exists",
                      "tooLarge": "400 413 The object exceeded the maximum allowed size",
                      "wrongType": "400 415 mime type application/pdf is not supported",
                      "unicode": "Grüße/日本.txt",
                      "text": "again",
                      "bytes": [4, 5],
                      "streamed": "streamed",
                      "unicodeText": "x",
                      "picture": [200, "image/png", "max-age=60", "PNG"],
                      "part": [206, "bytes 1-2/5", "ga"],
                      "disposition": "attachment; filename=\\"x.txt\\"; filename*=UTF-8''x.txt",
                      "info": "image/png",
                      "exists": [true, false],
                      "missing": "Object not found",
                      "image": [200, "image/png", "height:10,width:10,resizing_type:fit"],
                      "imageSize": [10, 5],
                      "webp": "image/webp",
                      "downloadedImage": [20, 10],
                      "signedImage": [200, 8, 8],
                      "noImage": "400 422 Source image type not supported",
                      "thrown": "StorageApiError",
                      "base64": "{\\"a\\":1}",
                      "newest": {
                        "stream": "newest",
                        "blob": "again",
                        "info": {"b": [2]},
                        "exists": [true, false],
                        "buckets": ["avatars"],
                        "purged": "success",
                        "bucketPurged": "success",
                        "purgedByAnyone": "403 403 Access denied: the service role is required",
                        "signed": "newest",
                        "publicUrl": "newest",
                        "removed": 1
                      },
                      "list": ["Grüße", "a"],
                      "folder": ["text.txt", "stream.txt", "bytes.bin"],
                      "size": 3,
                      "page": [true, ["Grüße/"]],
                      "pages": [["Grüße/日本.txt", "a/blob.png"], ["a/bytes.bin", "a/stream.txt"], ["a/text.txt"]],
                      "signed": [200, "attachment", "secret"],
                      "forged": 400,
                      "many": [null, "Either the object does not exist or you do not have access to it"],
                      "placed": "dir/up.txt",
                      "closed": true,
                      "moved": "Successfully moved",
                      "movedOver": "Successfully moved",
                      "movedBack": "up",
                      "copied": "avatars/copied.txt",
                      "removed": ["copied.txt"],
                      "folders": [
                        "Successfully moved {\\"moved\\":2,\\"skipped\\":0,\\"truncated\\":false}",
                        "Successfully copied {\\"copied\\":2,\\"skipped\\":0,\\"truncated\\":false}",
                        "two",
                        "Successfully deleted {\\"deleted\\":2,\\"skipped\\":0,\\"truncated\\":false}"
                      ],
                      "versions": [7, 3],
                      "deletedFiles": ["trips/2025/1.txt"],
                      "undeleted": "another",
                      "rolledBack": "one",
                      "webhooks": [],
                      "own": true,
                      "other": "400 403 new row violates row-level security policy",
                      "ownText": "mine",
                      "hidden": [],
                      "strange": [],
                      "ownRemoved": true,
                      "full": "400 409 The bucket you tried to delete is not empty",
                      "deleted": "Successfully deleted"
                    }
                    """).toPrettyString());
    }
}
