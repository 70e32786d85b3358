package svc.management.advisor;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectIntrospection;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/** Finds what is unsafe or slow in a project's database, by its catalog alone: no row of the project is read. */
@ApplicationScoped
public class Advisors {
    private static final Comparator<Lint> WORST_FIRST = Comparator.comparing(
                    (Lint lint) -> LintRule.Level.valueOf(lint.level()))
            .thenComparing(Lint::name)
            .thenComparing(Lint::cacheKey);

    private final ProjectIntrospection introspection;

    public Advisors(ProjectIntrospection introspection) {
        this.introspection = introspection;
    }

    /** @throws ProblemException if the catalog cannot be read now */
    public List<Lint> security(Tenant tenant) {
        ProjectFacts facts = introspection.read(tenant);
        return new SecurityLints(facts).all().sorted(WORST_FIRST).toList();
    }

    /** @throws ProblemException if the catalog cannot be read now */
    public List<Lint> performance(Tenant tenant) {
        ProjectFacts facts = introspection.read(tenant);
        return new PerformanceLints(facts).all().sorted(WORST_FIRST).toList();
    }
}
