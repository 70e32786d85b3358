package svc.e2e.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;

/** An application of a project: a script of {@code e2e/client} with the project's address and keys, service role included. */
public final class ClientProgram {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ClientProgram() {}

    /**
     * @param script its name in {@code e2e/client}
     * @param more values for its argument
     * @return what it printed
     */
    public static JsonNode run(Platform platform, JsonNode project, String script, Map<String, String> more)
            throws IOException {
        String ref = project.get("ref").asText();
        Map<String, String> argument = new LinkedHashMap<>(more);
        argument.put("url", platform.connection().pathUrl(ref));
        argument.put("key", project.get("anon_key").asText());
        argument.put("serviceKey", serviceKey(platform, ref));
        argument.put("schema", project.get("schema").asText());
        var words = List.of(
                "node",
                PlatformCommand.root().resolve("e2e/client").resolve(script).toString(),
                JSON.writeValueAsString(argument));
        return JSON.readTree(Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
    }

    /** The service key of a project. */
    public static String serviceKey(Platform platform, String ref) throws IOException {
        return platform
                .controlPlane()
                .get("/projects/" + ref + "/api-keys?reveal=true")
                .expect(200)
                .json()
                .findValuesAsText("api_key")
                .stream()
                .filter(key -> key.startsWith("svc_service_"))
                .findFirst()
                .orElseThrow();
    }
}
