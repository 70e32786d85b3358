package svc.database.project;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionTable;

/**
 * The desired state of one project in its database, as ordered steps: roles, schemas, companions, access. Start reading this
 * package here.
 */
public record ProjectLayout(ProjectTarget target, List<SqlStep> steps) {
    public ProjectLayout {
        steps = List.copyOf(steps);
    }

    public static ProjectLayout desired(ProjectTarget target) {
        CompanionSteps tables = new CompanionSteps(target.names());
        AccessSteps access = new AccessSteps(target.names());
        List<SqlStep> steps = new ArrayList<>(new RoleSteps(target).steps());
        steps.addAll(ObjectLimitSteps.of(target));
        steps.addAll(new SchemaSteps(target).steps());
        for (CompanionTable table : target.companion().tables()) {
            steps.addAll(tables.steps(table));
        }
        for (CompanionFunction function : ownFunctions(target)) {
            steps.addAll(access.function(function));
        }
        for (CompanionTable table : target.companion().tables()) {
            steps.addAll(access.policies(table));
            steps.addAll(access.triggers(table));
            steps.addAll(access.grants(table));
        }
        return new ProjectLayout(target, steps);
    }

    /** A shared database has these functions once, see {@code shared/common.sql}. */
    private static List<CompanionFunction> ownFunctions(ProjectTarget target) {
        return target.names().layout() == Layout.DEDICATED ? target.companion().functions() : List.of();
    }

    /**
     * Only the missing steps of a companion's tables: for a project that first uses a service, whose roles and settings are
     * known only from its custom resource.
     *
     * @param observed facts about the project, at least about that companion's tables
     */
    public static List<SqlStep> completing(ProjectNames names, Companion companion, Set<Fact> observed) {
        CompanionSteps tables = new CompanionSteps(names);
        AccessSteps access = new AccessSteps(names);
        List<SqlStep> steps = new ArrayList<>();
        companion.tables().forEach(table -> steps.addAll(tables.steps(table)));
        companion.tables().forEach(table -> {
            steps.addAll(access.policies(table));
            steps.addAll(access.triggers(table));
            steps.addAll(access.grants(table));
        });
        List<SqlStep> missing = ProjectPlan.missing(steps, observed);
        return missing.isEmpty() ? missing : withVersion(names, missing);
    }

    private static List<SqlStep> withVersion(ProjectNames names, List<SqlStep> steps) {
        List<SqlStep> all = new ArrayList<>(List.of(SchemaVersion.raise(names)));
        all.addAll(steps);
        return all;
    }

    /** The facts of a converged project. */
    public Set<Fact> facts() {
        Set<Fact> facts = new HashSet<>();
        steps.forEach(step -> facts.addAll(step.provides()));
        return facts;
    }

    /** Omits the verifiers. */
    @Override
    public String toString() {
        return "ProjectLayout[" + target + ", " + steps.size() + " steps]";
    }
}
