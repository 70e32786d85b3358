package svc.platform.tenancy;

import svc.crds.project.Project;

/** Receives every change of a Project, in order; must return quickly. */
public interface ProjectListener {
    void seen(Project project);

    void gone(Project project);
}
