package svc.e2e.running;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;

/** The AWS CLI and rclone, unchanged, with an access key of a project. */
public final class S3Tools {
    private final String aws;
    private final String rclone;
    private final String endpoint;
    private final Map<String, String> environment;

    private S3Tools(List<String> programs, String endpoint, Map<String, String> environment) {
        this.aws = programs.get(0);
        this.rclone = programs.get(1);
        this.endpoint = endpoint;
        this.environment = environment;
    }

    /** Makes an access key by the Management API; fetches the programs where they are missing. */
    public static S3Tools of(Platform platform, String ref) throws IOException {
        var fetch = List.of(
                PlatformCommand.root().resolve("e2e/client/s3-tools").toString());
        List<String> lines = Program.run(fetch, Map.of()).succeeded(fetch).lines().toList();
        JsonNode key = platform.controlPlane()
                .post("/projects/" + ref + "/storage/s3-keys", Map.of("name", "tools"))
                .expect(201)
                .json();
        String endpoint = platform.connection().pathUrl(ref) + "/storage/v1/s3";
        String id = key.get("id").asText();
        String secret = key.get("secret").asText();
        return new S3Tools(
                lines.subList(lines.size() - 2, lines.size()),
                endpoint,
                Map.ofEntries(
                        Map.entry("AWS_ACCESS_KEY_ID", id),
                        Map.entry("AWS_SECRET_ACCESS_KEY", secret),
                        Map.entry("AWS_DEFAULT_REGION", "eu-west-1"),
                        Map.entry("AWS_CONFIG_FILE", "/dev/null"),
                        Map.entry("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
                        // File names in the output are UTF-8.
                        Map.entry("LC_ALL", "C.UTF-8"),
                        Map.entry("PYTHONUTF8", "1"),
                        Map.entry("AWS_EC2_METADATA_DISABLED", "true"),
                        Map.entry("RCLONE_CONFIG", "/dev/null"),
                        Map.entry("RCLONE_CONFIG_SVC_TYPE", "s3"),
                        Map.entry("RCLONE_CONFIG_SVC_PROVIDER", "Other"),
                        Map.entry("RCLONE_CONFIG_SVC_ENDPOINT", endpoint),
                        Map.entry("RCLONE_CONFIG_SVC_REGION", "eu-west-1"),
                        Map.entry("RCLONE_CONFIG_SVC_ACCESS_KEY_ID", id),
                        Map.entry("RCLONE_CONFIG_SVC_SECRET_ACCESS_KEY", secret),
                        Map.entry("RCLONE_CONFIG_SVC_FORCE_PATH_STYLE", "true")));
    }

    /** Runs {@code aws}, and expects it to succeed. */
    public String aws(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(aws, "--endpoint-url", endpoint));
        words.addAll(List.of(arguments));
        return Program.run(words, environment).succeeded(words);
    }

    /** Runs {@code rclone} with the remote {@code svc:}, and expects it to succeed. */
    public String rclone(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(rclone));
        words.addAll(List.of(arguments));
        return Program.run(words, environment).succeeded(words);
    }
}
