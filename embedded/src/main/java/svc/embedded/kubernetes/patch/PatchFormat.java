package svc.embedded.kubernetes.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.Arrays;
import java.util.List;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.ownership.MergeSchema;

/** The patch formats, by content type. */
public enum PatchFormat {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC("application/strategic-merge-patch+json"),
    APPLY("application/apply-patch+yaml");

    private final String contentType;

    PatchFormat(String contentType) {
        this.contentType = contentType;
    }

    /** The format of a content type.
     *
     * @throws ApiFailure 415 for any other */
    public static PatchFormat of(String contentType) {
        return Arrays.stream(values())
                .filter(format -> format.contentType.equals(contentType))
                .findFirst()
                .orElseThrow(() -> ApiFailure.unsupportedMediaType(
                        contentType, List.of(JSON.contentType, MERGE.contentType, APPLY.contentType)));
    }

    /** The object after the patch; the given one stays as it is.
     *
     * @throws ApiFailure 400 for a patch that is none, 422 for one that does not fit the object */
    public ObjectNode patch(ObjectNode object, JsonNode patch, MergeSchema schema, ApiFailure.Subject subject) {
        JsonNode result = switch (this) {
            case JSON -> jsonPatch(object, patch, subject);
            case MERGE -> MergePatch.apply(object, patch);
            case STRATEGIC -> StrategicMergePatch.apply(object, patch, schema);
            case APPLY -> throw new IllegalArgumentException("an apply is no patch of an object alone");
        };
        if (result instanceof ObjectNode patched) {
            return patched;
        }
        throw ApiFailure.badRequest("the patch does not leave an object");
    }

    private static JsonNode jsonPatch(ObjectNode object, JsonNode patch, ApiFailure.Subject subject) {
        if (!patch.isArray()) {
            throw ApiFailure.badRequest("a JSON patch is an array of operations");
        }
        try {
            return JsonPatch.apply(patch, object.deepCopy());
        } catch (JsonPatchException | IllegalArgumentException e) {
            throw ApiFailure.invalid(
                    subject,
                    List.of(new ApiFailure.Cause(
                            "FieldValueInvalid", "the server rejected our request: " + e.getMessage(), "patch")));
        }
    }
}
