package svc.operator.project.failure;

import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.project.database.FailureReason;

/** Failures that the spec alone causes, whatever the state of any database. Pure. */
public final class SpecFailures {
    /** DatabaseReady: the spec names roles that only an existing database can have. */
    public static final String NOTHING_TO_ADOPT = "NothingToAdopt";

    private SpecFailures() {}

    /** For the backends that create a project's roles themselves. */
    public static Optional<Failure> ofAnonRole(Project project) {
        return Optional.ofNullable(project.getSpec().rest().anonRole())
                .map(anonRole -> database(
                        NOTHING_TO_ADOPT,
                        "spec.rest.anonRole applies only to an existing database: delete this Project and create one"
                                + " without it, or with connectionSecretRef in place of cluster."));
    }

    public static Failure sharedDatabaseMissing(String name) {
        return database(
                FailureReason.DATABASE_MISSING.conditionReason(),
                "No shared database " + name + " is configured: ask an admin for svc.databases." + name + ".");
    }

    private static Failure database(String reason, String message) {
        return new Failure(ProjectCondition.DATABASE_READY, reason, message, true, false);
    }
}
