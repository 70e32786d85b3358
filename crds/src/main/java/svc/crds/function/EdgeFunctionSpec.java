package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import svc.crds.project.database.ResourcesSpec;
import svc.crds.reference.LocalReference;

/** The desired state of a function: its code inline, or the content hash of a bundle that the Management API stored. */
@ValidationRule(
        value = "self.projectRef == oldSelf.projectRef",
        message = "projectRef cannot be changed: create another EdgeFunction",
        fieldPath = ".projectRef")
@ValidationRule(
        value = "self.name == oldSelf.name",
        message = "name cannot be changed: create another EdgeFunction",
        fieldPath = ".name")
@ValidationRule(
        value = "has(self.source) != has(self.contentHash)",
        message = "set source or contentHash, exactly one of them")
@ValidationRule(
        value = "!has(self.files) || has(self.source)",
        message = "files belong to source: set source, or remove files",
        fieldPath = ".files")
@ValidationRule(
        value = "!has(self.source) || bytes(self.source).size()"
                + " + (has(self.files) ? self.files.map(path, bytes(self.files[path]).size()).sum() : 0) <= 262144",
        message = "source and files have more than 256 KiB together: deploy the function with the Management API or the"
                + " command line, which take 10 MB")
@JsonClassDescription("What the function is to be.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EdgeFunctionSpec(
        @Required @JsonPropertyDescription("The Project of the function.")
        LocalReference projectRef,

        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[A-Za-z][A-Za-z0-9_-]*$")
        @JsonPropertyDescription("The name in the function's URL, /functions/v1/<name>.")
        String name,

        @Size(min = 1, max = 262144) @JsonPropertyDescription("Source code of index.ts.")
        String source,

        // An empty object would be files without source.
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 64)
        @JsonPropertyDescription(
                "Further files by path, such as _shared/cors.ts. Together with source at most 256 KiB.")
        Map<String, @Size(max = 262144) String> files,

        @Size(min = 71, max = 71)
        @Pattern("^sha256:[0-9a-f]{64}$")
        @JsonPropertyDescription("Content hash of code that the Management API stored.")
        String contentHash,

        @Size(min = 1, max = 255) @JsonPropertyDescription("Path of an import map in files.")
        String importMap,

        @Default("true") @JsonPropertyDescription("Whether calls require a valid JWT.")
        Boolean verifyJwt,

        @JsonPropertyDescription("Compute resources of each process.")
        ResourcesSpec resources,

        @Default("{}") @JsonPropertyDescription("Scaling of processes.")
        ScaleSpec scale) {

    public EdgeFunctionSpec {
        files = files == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(files));
        verifyJwt = verifyJwt == null || verifyJwt;
        scale = scale == null ? ScaleSpec.defaults() : scale;
    }
}
