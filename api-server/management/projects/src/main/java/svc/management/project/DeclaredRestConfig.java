package svc.management.project;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import svc.crds.project.Project;
import svc.management.json.StrictJson;

/**
 * The lists of the REST API's settings as a caller wrote them: an annotation of the Project. Tools that keep a state, such as
 * Terraform, compare what they wrote with what they read, and report a difference in a blank or in {@code graphql_public} as a
 * change from outside. A text counts while the settings are still what it says. Pure.
 *
 * @param dbSchema null if it was not written; {@code dbExtraSearchPath} likewise
 */
record DeclaredRestConfig(String dbSchema, String dbExtraSearchPath) {
    private static final String ANNOTATION = "svc.platform/written-rest-config";
    private static final DeclaredRestConfig NONE = new DeclaredRestConfig(null, null);

    /** A longer text is not kept: annotations of a resource have a limit in common. */
    private static final int MAX_LENGTH = 2_000;

    static DeclaredRestConfig of(Project project) {
        Map<String, String> annotations = project.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(ANNOTATION);
        if (text == null) {
            return NONE;
        }
        try {
            return Optional.ofNullable(StrictJson.get().readValue(text, DeclaredRestConfig.class))
                    .orElse(NONE);
        } catch (JsonProcessingException e) {
            return NONE;
        }
    }

    /** With what a change writes. */
    DeclaredRestConfig over(RestConfig body) {
        return new DeclaredRestConfig(
                kept(body.dbSchema(), dbSchema), kept(body.dbExtraSearchPath(), dbExtraSearchPath));
    }

    private static String kept(String written, String before) {
        return written == null ? before : written.length() > MAX_LENGTH ? null : written;
    }

    /** Writes it to the resource. */
    void writeTo(Project project) {
        Map<String, String> annotations = new TreeMap<>();
        if (project.getMetadata().getAnnotations() != null) {
            annotations.putAll(project.getMetadata().getAnnotations());
        }
        try {
            annotations.put(ANNOTATION, StrictJson.get().writeValueAsString(this));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing settings", e);
        }
        project.getMetadata().setAnnotations(annotations);
    }
}
