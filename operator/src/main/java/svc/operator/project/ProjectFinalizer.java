package svc.operator.project;

/**
 * The mark that keeps a Project until what its deletion policy asks for is done. Part of the stored objects and of
 * admins' scripts: never rename it.
 */
public final class ProjectFinalizer {
    public static final String NAME = "projects.svc.platform/finalizer";

    private ProjectFinalizer() {}
}
