package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import svc.management.project.Projects;
import svc.management.token.Principal;
import svc.platform.problem.ProblemException;

/** The names of functions, under which their log has them, for the services of the control plane that take an id. */
@ApplicationScoped
public class FunctionNames {
    private final Projects projects;
    private final FunctionResources resources;

    FunctionNames(Projects projects, FunctionResources resources) {
        this.projects = projects;
        this.resources = resources;
    }

    /**
     * The name of a function.
     *
     * @param idOrName as a list of the functions has it
     * @throws ProblemException 404 for a project of another organisation, or a function that there is none of
     */
    public String name(Principal by, String ref, String idOrName) {
        return resources.ofProject(projects.get(by, ref)).stream()
                .filter(function -> function.getMetadata().getUid().equals(idOrName)
                        || function.getSpec().name().equals(idOrName))
                .map(function -> function.getSpec().name())
                .findFirst()
                .orElseThrow(() -> FunctionProblems.unknown(idOrName));
    }
}
