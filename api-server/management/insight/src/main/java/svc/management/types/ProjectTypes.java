package svc.management.types;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectIntrospection;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/** Generates the types of a project's schemas, read again for each call. */
@ApplicationScoped
public class ProjectTypes {
    /** What Supabase's tools ask for beside public; a project has no such schema, but the GraphQL service. */
    private static final String GRAPHQL = "graphql_public";

    private final ProjectIntrospection introspection;

    public ProjectTypes(ProjectIntrospection introspection) {
        this.introspection = introspection;
    }

    /**
     * @param schemas by the names that applications use, the default first; none for those that the REST API serves
     * @throws ProblemException 400 for a schema that the project does not have
     */
    public String typescript(Tenant tenant, List<String> schemas) {
        ProjectFacts facts = introspection.readWithViews(tenant);
        boolean graphql = schemas.contains(GRAPHQL)
                && facts.namespaces().values().stream().noneMatch(ProjectTypes::isGraphql);
        return TypescriptGenerator.typescript(facts, wanted(facts, schemas), graphql);
    }

    /**
     * The types of rows; the GraphQL service has none.
     *
     * @param schemas as for {@link #typescript}
     * @throws ProblemException 400 for a schema that the project does not have
     */
    public String of(Language language, Tenant tenant, List<String> schemas) {
        ProjectFacts facts = introspection.readWithViews(tenant);
        TypeModel model = TypeModel.of(facts, wanted(facts, schemas));
        return switch (language) {
            case GO -> GoTypes.of(model);
            case SWIFT -> SwiftTypes.of(model);
            case PYTHON -> PythonTypes.of(model);
        };
    }

    /** A language with named types. */
    public enum Language {
        GO,
        SWIFT,
        PYTHON
    }

    private static boolean isGraphql(Namespace schema) {
        return schema.name().equals(GRAPHQL);
    }

    private static List<Namespace> wanted(ProjectFacts facts, List<String> schemas) {
        Map<String, Namespace> known = facts.namespaces().values().stream()
                .collect(Collectors.toMap(Namespace::name, Function.identity(), (first, second) -> first));
        List<Namespace> wanted = new ArrayList<>();
        for (String name : schemas.stream().distinct().toList()) {
            if (known.containsKey(name)) {
                wanted.add(known.get(name));
            } else if (!name.equals(GRAPHQL)) {
                throw unknown(name, known);
            }
        }
        if (wanted.isEmpty()) {
            facts.exposed().forEach(oid -> wanted.add(facts.namespaces().get(oid)));
        }
        return wanted;
    }

    private static ProblemException unknown(String name, Map<String, Namespace> known) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, "The project has no schema " + name + ".")
                .withHint("Its schemas: "
                        + known.keySet().stream()
                                .sorted(Comparator.naturalOrder())
                                .collect(Collectors.joining(", "))
                        + ".")
                .asException();
    }
}
