package svc.platform.tenancy;

import svc.crds.project.Project;

/** Told of every change of a Project, in the order of its changes; must return quickly. */
public interface ProjectListener {
    void seen(Project project);

    void gone(Project project);
}
