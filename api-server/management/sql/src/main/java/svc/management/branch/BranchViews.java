package svc.management.branch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.management.branch.BranchBodies.Detail;
import svc.management.branch.BranchBodies.View;
import svc.management.project.BranchProjects;
import svc.management.project.ProjectBodies;

/** Renders branches for the API. */
@ApplicationScoped
class BranchViews {
    /** As Supabase names a database of the release that every project here has. */
    private static final String ENGINE = "17";

    private static final String CHANNEL = "ga";

    private final BranchProjects projects;
    private final Clock clock;

    BranchViews(BranchProjects projects, Clock clock) {
        this.projects = projects;
        this.clock = clock;
    }

    View view(Project branch) {
        ProjectIdentity identity = ProjectIdentity.of(branch);
        BranchState state = BranchState.of(branch, clock.instant());
        ProjectBodies.View project = projects.view(branch);
        return new View(
                identity.projectId(),
                branch.getSpec().name(),
                identity.ref(),
                branch.getSpec().branchOf(),
                false,
                state.gitBranch(),
                state.persistent(),
                state.status(),
                state.message().isEmpty() ? null : state.message(),
                state.withData(),
                project.createdAt(),
                state.since(),
                project.status());
    }

    Detail detail(Project branch) {
        ProjectBodies.View project = projects.view(branch);
        View view = view(branch);
        return new Detail(
                view.id(),
                view.projectRef(),
                view.name(),
                view.parentProjectRef(),
                project.status(),
                view.status(),
                view.statusMessage(),
                ENGINE,
                CHANNEL,
                project.url(),
                project.anonKey(),
                project.schema());
    }
}
