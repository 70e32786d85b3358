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
import svc.operator.project.status.ProjectOutcome.Converged;

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
     * @param project with its earlier status
     * @param status the new status
     */
    public static List<ProjectEvent> of(Project project, ProjectOutcome outcome, ProjectStatus status) {
        List<ProjectEvent> events = new ArrayList<>();
        if (outcome instanceof Converged converged) {
            changed(project, converged.provisioned()).ifPresent(events::add);
        }
        for (String type : List.of(CLAIMED, DATABASE_READY, KEYS_READY)) {
            Optional<Condition> before = before(project, type);
            Condition now = Conditions.in(status.conditions(), type).orElseThrow();
            if (now.isFalse() && !sameReason(before, now)) {
                events.add(ProjectEvent.warning(now.reason(), now.message()));
            } else if (now.isTrue() && before.filter(Condition::isFalse).isPresent()) {
                events.add(ProjectEvent.normal(RECOVERED, type + " is True again."));
            }
        }
        paused(project, status).ifPresent(events::add);
        suspended(project, status).ifPresent(events::add);
        return events;
    }

    private static Optional<ProjectEvent> changed(Project project, Provisioned provisioned) {
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
        boolean converged = project.getMetadata()
                        .getGeneration()
                        .equals(project.getStatus().observedGeneration())
                && before(project, DATABASE_READY).filter(Condition::isTrue).isPresent();
        return converged
                ? ProjectEvent.warning(
                        DRIFT_REPAIRED, "Repaired manual changes to the project's database with " + steps + ".")
                : ProjectEvent.normal(UPDATED, "Applied the changed spec with " + steps + ".");
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

    private static boolean sameReason(Optional<Condition> before, Condition now) {
        return before.filter(
                        condition -> condition.isFalse() && condition.reason().equals(now.reason()))
                .isPresent();
    }
}
