package svc.operator.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import svc.crds.project.ProjectAnnotations;

/** Annotations with which an admin controls the operator, beside the spec. */
public final class Annotations {
    /** {@code "true"} pauses the project like {@code spec.paused}, without a change of the spec. */
    public static final String PAUSED = "svc.platform/paused";
    /** {@code "true"} on a project being deleted removes the resource without touching its data. */
    public static final String FORCE_DELETE = ProjectAnnotations.FORCE_DELETE;

    private Annotations() {}

    /** Only the exact text {@code true} counts, so that a typo never forces a deletion. */
    public static boolean isTrue(HasMetadata resource, String annotation) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(annotation));
    }
}
