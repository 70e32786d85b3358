package svc.crds.project;

/** Annotations of a Project, beside its spec, that more than the operator obeys. */
public final class ProjectAnnotations {
    /**
     * {@code "true"} on a project being deleted removes the resource without touching its data, whatever the deletion
     * policy is. Only the exact text counts, so that a typo never forces a deletion.
     */
    public static final String FORCE_DELETE = "svc.platform/force-delete";

    private ProjectAnnotations() {}

    /** Whether what the project keeps is deleted with its resource. */
    public static boolean deletesData(Project project) {
        var annotations = project.getMetadata().getAnnotations();
        boolean forced = annotations != null && "true".equals(annotations.get(FORCE_DELETE));
        return project.getSpec().deletionPolicy() == DeletionPolicy.DELETE && !forced;
    }
}
