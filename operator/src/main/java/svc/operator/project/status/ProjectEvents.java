package svc.operator.project.status;

import static svc.crds.project.ProjectCondition.CLAIMED;
import static svc.crds.project.ProjectCondition.DATABASE_READY;
import static svc.crds.project.ProjectCondition.KEYS_READY;
import static svc.crds.project.ProjectCondition.RECONCILIATION_PAUSED;
import static svc.crds.project.ProjectCondition.SUSPENDED;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectStatus;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.FailureTransitions;

/** The Events of a reconciliation. Only transitions: a project that stays converged, or stays broken, writes none. */
public final class ProjectEvents {
    public static final String DRIFT_REPAIRED = "DriftRepaired";
    public static final String UPDATED = "Updated";
    public static final String REVIVED = "Revived";
    public static final String UPGRADED = "Upgraded";
    public static final String RECOVERED = "Recovered";
    public static final String RESUMED = "Resumed";
    public static final String RESTORED = "Restored";

    private ProjectEvents() {}

    /**
     * The changes of conditions.
     *
     * @param project with its earlier status
     * @param status the new status
     */
    public static List<ProjectEvent> of(Project project, ProjectStatus status) {
        List<ProjectEvent> events = new ArrayList<>();
        for (String type : List.of(CLAIMED, DATABASE_READY, KEYS_READY)) {
            Optional<Condition> before = before(project, type);
            Condition now = Conditions.in(status.conditions(), type).orElseThrow();
            if (FailureTransitions.isNewFailure(before, now)) {
                events.add(ProjectEvent.warning(now.reason(), now.message()));
            } else if (FailureTransitions.isRecovery(before, now)) {
                events.add(ProjectEvent.normal(RECOVERED, type + " is True again."));
            }
        }
        paused(project, status).ifPresent(events::add);
        suspended(project, status).ifPresent(events::add);
        return events;
    }

    /**
     * What was changed in the database. Write it when the change is committed: a later step may fail, and the next attempt
     * finds nothing to change.
     *
     * @param project with its earlier status
     */
    public static Optional<ProjectEvent> ofChange(Project project, Provisioned provisioned) {
        String steps = provisioned.steps().size() + (provisioned.steps().size() == 1 ? " step" : " steps");
        return switch (provisioned.change()) {
            case NONE -> Optional.empty();
            case CREATED ->
                Optional.of(ProjectEvent.normal(
                        Reasons.PROVISIONED,
                        provisioned.steps().isEmpty()
                                ? "Adopted the database unchanged."
                                : "Created schemas and roles with " + steps + "."));
            case UPGRADED ->
                Optional.of(ProjectEvent.normal(UPGRADED, "Upgraded the companion schemas with " + steps + "."));
            case REPAIRED -> Optional.of(repaired(project, steps));
        };
    }

    private static ProjectEvent repaired(Project project, String steps) {
        if (before(project, CLAIMED).filter(Condition::isTrue).isEmpty()) {
            return ProjectEvent.normal(REVIVED, "Revived the retained project with " + steps + ".");
        }
        return hadConverged(project)
                ? ProjectEvent.warning(
                        DRIFT_REPAIRED,
                        "Repaired manual changes to the project's database with " + steps + failedBefore(project) + ".")
                : ProjectEvent.normal(UPDATED, "Applied the changed spec with " + steps + failedBefore(project) + ".");
    }

    /**
     * Whether the database matched this spec once. Claimed becomes True together with it, and a failed attempt leaves that
     * condition alone, while it sets the generation of the status and DatabaseReady.
     */
    private static boolean hadConverged(Project project) {
        return before(project, CLAIMED)
                .filter(Condition::isTrue)
                .map(Condition::observedGeneration)
                .filter(project.getMetadata().getGeneration()::equals)
                .isPresent();
    }

    private static String failedBefore(Project project) {
        return before(project, DATABASE_READY)
                .filter(condition -> !condition.isTrue())
                .map(failed -> ", after an attempt that failed (" + failed.reason() + ")")
                .orElse("");
    }

    private static Optional<ProjectEvent> paused(Project project, ProjectStatus status) {
        boolean before = before(project, RECONCILIATION_PAUSED).isPresent();
        boolean now = Conditions.in(status.conditions(), RECONCILIATION_PAUSED).isPresent();
        if (before == now) {
            return Optional.empty();
        }
        return Optional.of(
                now
                        ? ProjectEvent.normal(Reasons.PAUSED, "Reconciliation is paused.")
                        : ProjectEvent.normal(RESUMED, "Reconciliation resumed."));
    }

    private static Optional<ProjectEvent> suspended(Project project, ProjectStatus status) {
        boolean before = before(project, SUSPENDED).isPresent();
        boolean now = Conditions.in(status.conditions(), SUSPENDED).isPresent();
        if (before == now) {
            return Optional.empty();
        }
        return Optional.of(
                now
                        ? ProjectEvent.normal(Reasons.SUSPENDED, "The project's services are stopped.")
                        : ProjectEvent.normal(RESTORED, "The project's services are started again."));
    }

    private static Optional<Condition> before(Project project, String type) {
        return project.getStatus() == null
                ? Optional.empty()
                : Conditions.in(project.getStatus().conditions(), type);
    }
}
