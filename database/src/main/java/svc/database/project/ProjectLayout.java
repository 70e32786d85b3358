package svc.database.project;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionTable;

/**
 * All that must hold of one project in its database, as steps in the order in which they can be taken. The table of
 * contents of this package: roles, schemas, companions, access.
 */
public record ProjectLayout(ProjectTarget target, List<SqlStep> steps) {
    public ProjectLayout {
        steps = List.copyOf(steps);
    }

    public static ProjectLayout desired(ProjectTarget target) {
        CompanionSteps tables = new CompanionSteps(target.names());
        AccessSteps access = new AccessSteps(target.names());
        List<SqlStep> steps = new ArrayList<>(new RoleSteps(target).steps());
        steps.addAll(new SchemaSteps(target).steps());
        for (CompanionTable table : target.companion().tables()) {
            steps.addAll(tables.steps(table));
        }
        for (CompanionFunction function : target.companion().functions()) {
            steps.addAll(access.function(function));
        }
        for (CompanionTable table : target.companion().tables()) {
            steps.addAll(access.policies(table));
            steps.addAll(access.grants(table));
        }
        return new ProjectLayout(target, steps);
    }

    /**
     * The steps that are missing of a companion's tables, and nothing else: for a project that begins to use a service, whose
     * roles and settings are known to its custom resource alone.
     *
     * @param observed what is true of the project, of that companion's tables at least
     */
    public static List<SqlStep> completing(ProjectNames names, Companion companion, Set<Fact> observed) {
        CompanionSteps tables = new CompanionSteps(names);
        AccessSteps access = new AccessSteps(names);
        List<SqlStep> steps = new ArrayList<>();
        companion.tables().forEach(table -> steps.addAll(tables.steps(table)));
        companion.tables().forEach(table -> steps.addAll(access.grants(table)));
        List<SqlStep> missing = ProjectPlan.missing(steps, observed);
        return missing.isEmpty() ? missing : withVersion(names, missing);
    }

    private static List<SqlStep> withVersion(ProjectNames names, List<SqlStep> steps) {
        List<SqlStep> all = new ArrayList<>(List.of(SchemaVersion.raise(names)));
        all.addAll(steps);
        return all;
    }

    /** Everything that is true of a project in order. */
    public Set<Fact> facts() {
        Set<Fact> facts = new HashSet<>();
        steps.forEach(step -> facts.addAll(step.provides()));
        return facts;
    }

    /** Without the verifiers. */
    @Override
    public String toString() {
        return "ProjectLayout[" + target + ", " + steps.size() + " steps]";
    }
}
