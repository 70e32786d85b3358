package svc.management.project;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.function.Supplier;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.management.audit.CallAudit;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/** Records which token changed which project, in its audit; a creation in that of the organisation. */
@ApplicationScoped
public class ProjectAudit {
    private static final String CREATE = "create project";
    private static final String REVEAL = "reveal service_role key";

    private final CallAudit audit;

    ProjectAudit(CallAudit audit) {
        this.audit = audit;
    }

    /** @param what in words, without values */
    public void done(Principal by, Project project, String what) {
        audit.done(caller(by), Optional.of(subject(project)), what);
    }

    /** Runs a change of a project and records how it ended. */
    <T> T recorded(Principal by, Project project, String what, Supplier<T> change) {
        return audit.recorded(caller(by), Optional.of(subject(project)), what, change, done -> what);
    }

    /** The same of a creation, unless an earlier call made the project. */
    Projects.Created created(Principal by, Supplier<Projects.Created> creation) {
        Projects.Created created;
        try {
            created = creation.get();
        } catch (RuntimeException e) {
            audit.failed(caller(by), Optional.empty(), CREATE, e);
            throw e;
        }
        if (!created.replayed()) {
            audit.done(caller(by), Optional.empty(), CREATE + " " + ProjectWatch.refOf(created.project()));
        }
        return created;
    }

    /**
     * Whether the caller may see the service-role key, which bypasses row security and runs migrations: so it needs the permission
     * to run SQL.
     *
     * @throws ProblemException 403, which is recorded
     */
    void requireRightToReveal(Principal by, Project project) {
        try {
            by.require(Permission.DATABASE_QUERY);
        } catch (ProblemException e) {
            audit.failed(caller(by), Optional.of(subject(project)), REVEAL, e);
            throw e;
        }
    }

    /** @throws RuntimeException if it cannot be recorded; the key must not be shown then */
    void revealed(Principal by, Project project) {
        audit.requireRecord(caller(by), Optional.of(subject(project)), REVEAL);
    }

    private static CallAudit.Caller caller(Principal by) {
        return new CallAudit.Caller(by.tokenId(), by.organization());
    }

    private static CallAudit.Subject subject(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        return new CallAudit.Subject(identity.projectId(), identity.ref());
    }
}
