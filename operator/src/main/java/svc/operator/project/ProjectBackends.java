package svc.operator.project;

import svc.crds.project.Project;
import svc.operator.project.backend.ProjectBackend;

/** Chooses a Project's backend. The only place that decides between shared, dedicated and adopted. */
record ProjectBackends(ProjectBackend shared, ProjectBackend dedicated, ProjectBackend adopted) {
    ProjectBackend of(Project project) {
        return switch (project.getSpec().database().mode()) {
            case SHARED -> shared;
            case DEDICATED -> isAdopted(project) ? adopted : dedicated;
        };
    }

    /** A database with existing roles, one of which the spec names for anonymous requests. */
    private static boolean isAdopted(Project project) {
        return project.getSpec().database().dedicated().connectionSecretRef() != null
                && project.getSpec().rest().anonRole() != null;
    }
}
