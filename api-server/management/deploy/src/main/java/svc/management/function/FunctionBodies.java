package svc.management.function;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The bodies of {@code /v1/projects/{ref}/functions}. */
public final class FunctionBodies {
    private FunctionBodies() {}

    /**
     * A deployment (SPEC 4.4, and more).
     *
     * @param files further files by path, such as {@code _shared/cors.ts}
     * @param verifyJwt whether a call needs a valid token; if omitted, the current value, or true
     * @param importMap path of an import map among the files; deno.json is found without it
     * @param entrypoint file name of the source; {@code index.ts} if omitted
     * @param expectedVersion the version that this deployment replaces: 409 if another one is active. 0 for none
     */
    @Schema(name = "FunctionDeployBody")
    public record Deploy(
            String name,
            String source,
            Map<String, String> files,
            Boolean verifyJwt,
            @JsonAlias("import_map_path") String importMap,
            @JsonAlias("entrypoint_path") String entrypoint,
            Long expectedVersion) {}

    @Schema(name = "FunctionRollbackBody")
    public record Rollback(Long version) {}

    /**
     * A function of one file, in Supabase's format.
     *
     * @param slug its name; {@code name}, if present, must be equal
     * @param body the code
     */
    @Schema(name = "FunctionWriteBody")
    public record Written(String slug, String name, String body, Boolean verifyJwt) {}

    /**
     * A function that is bundled and not active: what {@code bundleOnly} answers, and what a later call activates.
     *
     * @param version of the function that is active; 0 if there is none
     * @param createdAt of that function; 0 if there is none
     * @param ezbrSha256 names the bundle
     */
    @Schema(name = "FunctionBundle")
    public record Bundle(
            String id,
            String slug,
            String name,
            String status,
            Long version,
            Long createdAt,
            Boolean verifyJwt,
            Boolean importMap,
            String entrypointPath,
            String importMapPath,
            String ezbrSha256) {}

    /** What was activated. */
    @Schema(name = "FunctionsUpdated")
    public record Updated(List<View> functions) {}

    /** A function. Lists omit the fields that need its code. */
    @Schema(name = "FunctionResponse")
    public record View(
            String id,
            String slug,
            String name,
            FunctionState status,
            Long version,
            Long createdAt,
            Long updatedAt,
            Boolean verifyJwt,
            String url,
            String contentHash,
            String servingHash,
            Boolean importMap,
            String importMapPath,
            String entrypointPath,
            String source,
            Map<String, String> files,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<VersionView> history,
            List<ConditionView> conditions) {
        /**
         * With paths as Supabase's API has them, URLs of a folder that does not exist: its MCP server reads nothing else, and
         * takes the folder's name, of ref, id and version, away again.
         */
        View withFileUrls(String ref) {
            String folder = "file:///tmp/user_fn_" + ref + "_" + id + "_" + version + "/source/";
            return new View(
                    id,
                    slug,
                    name,
                    status,
                    version,
                    createdAt,
                    updatedAt,
                    verifyJwt,
                    url,
                    contentHash,
                    servingHash,
                    importMap,
                    importMapPath == null ? null : folder + encoded(importMapPath),
                    entrypointPath == null ? null : folder + entrypointPath,
                    source,
                    files,
                    history,
                    conditions);
        }

        private static String encoded(String path) {
            try {
                return new URI(null, null, path, null).getRawPath();
            } catch (URISyntaxException e) {
                throw new IllegalStateException("a path that was checked is none of a URI", e);
            }
        }
    }

    @Schema(name = "FunctionVersion")
    public record VersionView(Long version, String contentHash, Instant deployedAt) {}

    @Schema(name = "FunctionCondition")
    public record ConditionView(
            String type,
            String status,
            String reason,
            String message,
            Long observedGeneration,
            Instant lastTransitionTime) {}

    /** SPEC 2.4, with its literal names. */
    @Schema(name = "FunctionSecretBody")
    public record SecretValue(
            @JsonProperty("functionName") @JsonAlias({"function_name", "function"})
            String functionName,

            @JsonAlias("name") String key,
            String value) {
        /** Without the value. */
        @Override
        public String toString() {
            return "SecretValue[" + functionName + ", " + key + "]";
        }
    }

    /** A secret of all functions. */
    @Schema(name = "CreateSecretBody")
    public record NewSecret(String name, String value) {
        /** Without the value. */
        @Override
        public String toString() {
            return "NewSecret[" + name + "]";
        }
    }

    /**
     * A secret without its value.
     *
     * @param digest changes with the value and does not reveal it; omitted until the operator has read the value
     * @param status whether the function sees the value
     */
    @Schema(name = "FunctionSecretResponse")
    public record SecretView(
            @JsonProperty("functionName") String functionName,
            String key,
            String digest,
            String status,
            String message,
            Instant createdAt) {}

    public record LogView(String id, Instant time, String level, String event, String requestId, String message) {}
}
