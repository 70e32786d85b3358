package svc.management.introspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.database.name.DatabaseRole;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.database.sql.SqlValue;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Dependency;
import svc.management.introspection.ProjectFacts.IndexStatistics;
import svc.management.introspection.ProjectFacts.Label;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Roles;
import svc.management.introspection.ProjectFacts.TableStatistics;
import svc.management.introspection.ProjectFacts.Type;
import svc.management.introspection.ProjectFacts.ViewRow;
import svc.management.introspection.TableCatalog.PlacedText;
import svc.management.query.OwnerReads;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;

/** Reads {@link ProjectFacts} in one statement. */
@ApplicationScoped
public class ProjectIntrospection {
    private static final SqlTemplate FACTS = SqlTemplate.resource(ProjectIntrospection.class, "facts.sql");
    private static final SqlFragment VIEWS =
            SqlTemplate.resource(ProjectIntrospection.class, "views.sql").bind(Map.of());
    private static final SqlFragment TABLES =
            SqlTemplate.resource(ProjectIntrospection.class, "tables.sql").bind(Map.of());
    private static final SqlFragment COLUMNS =
            SqlTemplate.resource(ProjectIntrospection.class, "columns.sql").bind(Map.of());
    private static final SqlFragment EXTENSIONS =
            SqlTemplate.resource(ProjectIntrospection.class, "extensions.sql").bind(Map.of());
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final String VIEW = "view";
    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    private final OwnerReads reads;

    public ProjectIntrospection(OwnerReads reads) {
        this.reads = reads;
    }

    /** @throws ProblemException if the catalog cannot be read now, or is larger than an answer may be */
    public ProjectFacts read(Tenant tenant) {
        return read(tenant, SqlFragment.of(""));
    }

    /** The same with the rules of views. */
    public ProjectFacts readWithViews(Tenant tenant) {
        return read(tenant, VIEWS);
    }

    /** The same with the texts of a list of tables, and of their columns if asked for. */
    TableCatalog readTables(Tenant tenant, boolean columns) {
        Sections sections = sections(tenant, columns ? TABLES.append("\n").append(COLUMNS) : TABLES);
        var names = DisplayedNames.of(tenant);
        return new TableCatalog(
                facts(sections, tenant.exposedSchemas(), names),
                TableCatalog.byPlace(Stream.of("comments", "column_comments")
                        .flatMap(section -> texts(sections, section, names))
                        .toList()),
                TableCatalog.byPlace(texts(sections, "defaults", names).toList()),
                TableCatalog.byPlace(texts(sections, "checks", names).toList()));
    }

    private static Stream<PlacedText> texts(Sections sections, String section, DisplayedNames names) {
        return sections.rows(section, PlacedText.class).stream()
                .map(one ->
                        new PlacedText(one.relation(), one.column(), one.text().map(names::in)));
    }

    /** The extensions that are installed, and those that the server has beside them. */
    List<TableCatalog.Extension> extensions(Tenant tenant) {
        var names = DisplayedNames.of(tenant);
        return reads.read(tenant, EXTENSIONS, TIME).rows().stream()
                .map(row -> new TableCatalog.Extension(
                        row.get(0), orNull(names.in(row.get(1))), row.get(2), orNull(row.get(3)), orNull(row.get(4))))
                .toList();
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private ProjectFacts read(Tenant tenant, SqlFragment views) {
        return facts(sections(tenant, views), tenant.exposedSchemas(), DisplayedNames.of(tenant));
    }

    /** @param more further sections */
    private Sections sections(Tenant tenant, SqlFragment more) {
        Map<String, SqlValue> places = Map.of(
                "anon", Literal.of(tenant.roleName(DatabaseRole.ANON)),
                "authenticated", Literal.of(tenant.roleName(DatabaseRole.AUTHENTICATED)),
                "views", more);
        OwnerReads.Answer answer = reads.read(tenant, FACTS.bind(places), TIME);
        var sections = new Sections(answer.rows());
        if (!sections.has("index_statistics")) {
            throw Problem.of(
                            ProblemCode.SQL_RESULT_TOO_LARGE,
                            "The catalog of the project is too large to be read at once.")
                    .withHint("Types and advisors work for projects of up to about 50,000 columns.")
                    .asException();
        }
        return sections;
    }

    private static ProjectFacts facts(Sections sections, List<String> exposed, DisplayedNames names) {
        List<Namespace> namespaces = sections.rows("namespaces", Namespace.class);
        List<Dependency> dependencies = sections.rows("dependencies", Dependency.class);
        return new ProjectFacts(
                byKey(namespaces.stream().map(one -> one.named(names.in(one.name()))), Namespace::oid),
                byKey(sections.rows("relations", Relation.class).stream(), Relation::oid),
                sections.rows("columns", Column.class).stream().collect(Collectors.groupingBy(Column::relation)),
                byKey(sections.rows("types", Type.class).stream().map(type -> displayed(type, names)), Type::oid),
                sections.rows("labels", Label.class).stream()
                        .collect(Collectors.groupingBy(
                                Label::type, Collectors.mapping(Label::text, Collectors.toList()))),
                sections.rows("constraints", ProjectFacts.Constraint.class),
                sections.rows("indexes", ProjectFacts.Index.class),
                sections.rows("policies", Policy.class).stream()
                        .map(policy -> policy.withTexts(
                                policy.using().map(names::in), policy.check().map(names::in)))
                        .toList(),
                sections.rows("routines", ProjectFacts.Routine.class),
                dependencies.stream()
                        .filter(one -> one.kind().equals("extension"))
                        .map(Dependency::object)
                        .collect(Collectors.toUnmodifiableSet()),
                dependencies.stream()
                        .filter(one -> one.kind().equals(VIEW))
                        .collect(Collectors.groupingBy(
                                Dependency::object, Collectors.mapping(Dependency::target, Collectors.toSet()))),
                sections.rows("extensions", ProjectFacts.Extension.class),
                byKey(sections.rows("table_statistics", TableStatistics.class).stream(), TableStatistics::relation),
                sections.rows("index_statistics", IndexStatistics.class).stream()
                        .collect(Collectors.toMap(IndexStatistics::index, IndexStatistics::scans)),
                byKey(sections.each(VIEW, ViewRow.class).stream(), ViewRow::oid),
                namespaces.stream()
                        .filter(one -> exposed.contains(one.name()))
                        .sorted(Comparator.comparingInt(one -> exposed.indexOf(one.name())))
                        .map(Namespace::oid)
                        .toList(),
                sections.rows("roles", Roles.class).getFirst());
    }

    private static Type displayed(Type type, DisplayedNames names) {
        return new Type(
                type.oid(),
                names.in(type.schema()),
                type.name(),
                type.kind(),
                type.base(),
                type.element(),
                type.relation(),
                type.notNull());
    }

    private static <T> Map<Long, T> byKey(Stream<T> rows, Function<T, Long> key) {
        return rows.collect(Collectors.toUnmodifiableMap(key, row -> row, (first, second) -> first));
    }

    /** The rows of an answer by their section. */
    private static final class Sections {
        private final Map<String, List<String>> bodies = new HashMap<>();

        Sections(List<List<String>> rows) {
            rows.forEach(row -> bodies.computeIfAbsent(row.getFirst(), unused -> new ArrayList<>())
                    .add(row.get(1)));
        }

        boolean has(String section) {
            return bodies.containsKey(section);
        }

        /** Of a section whose one body is an array. */
        <T> List<T> rows(String section, Class<T> type) {
            String body = bodies.getOrDefault(section, List.of("[]")).getFirst();
            try {
                return List.copyOf(JSON.readerForListOf(type).<List<T>>readValue(body));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("while reading the section " + section + " of the catalog", e);
            }
        }

        /** Of a section with a body for each row. */
        <T> List<T> each(String section, Class<T> type) {
            return bodies.getOrDefault(section, List.of()).stream()
                    .map(body -> {
                        try {
                            return JSON.readValue(body, type);
                        } catch (JsonProcessingException e) {
                            throw new IllegalStateException("while reading a row " + section + " of the catalog", e);
                        }
                    })
                    .toList();
        }
    }
}
