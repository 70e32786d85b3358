package svc.database.project;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import svc.database.name.DatabaseRole;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionSchema;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Reads the facts about a project. The text is the same for every project, so a connection prepares it once; names are
 * parameters. {@link Observation.Rows} reads the rows of the main query.
 *
 * @param sql with a {@code ?} for each parameter
 * @param parameters in order, each a {@code text[]}
 */
public record ObservationQuery(SqlFragment sql, List<List<String>> parameters) {
    private static final Map<Provisioner, SqlFragment> SQL = texts();

    private static final SqlFragment TRACES = SqlFragment.of("SELECT EXISTS (SELECT FROM unnest(?::text[]) AS r(name)"
            + " WHERE to_regrole(r.name) IS NOT NULL) OR EXISTS (SELECT FROM unnest(?::text[]) AS s(name)"
            + " WHERE to_regnamespace(s.name) IS NOT NULL)");

    /**
     * One row, one boolean: whether any role or schema of the project exists. Every fact concerns one of these, so without them
     * nothing needs to be observed. That saves a new project the main query, which the server must plan again after every
     * CREATE SCHEMA: planning takes longer than running it.
     */
    public static ObservationQuery ofTraces(ProjectNames names) {
        List<String> schemas = new ArrayList<>(List.of(names.schema().sql()));
        names.companions().forEach(companion -> schemas.add(companion.sql()));
        List<String> roles = new ArrayList<>();
        for (DatabaseRole role : DatabaseRole.values()) {
            roles.add(names.role(role).sql());
        }
        return new ObservationQuery(TRACES, List.of(roles, schemas));
    }

    private static Map<Provisioner, SqlFragment> texts() {
        SqlTemplate template = SqlTemplate.resource(ObservationQuery.class, "observe.sql");
        Map<Provisioner, SqlFragment> texts = new EnumMap<>(Provisioner.class);
        for (Provisioner provisioner : Provisioner.values()) {
            texts.put(provisioner, template.bind(Map.of("logins", provisioner.logins(), "self", provisioner.self())));
        }
        return texts;
    }

    /** With superuser privileges. The session must have {@code search_path = pg_catalog}. */
    public static ObservationQuery of(ProjectNames names, Companion companion) {
        return of(names, companion, Provisioner.SUPERUSER);
    }

    /** The session must have {@code search_path = pg_catalog}. */
    public static ObservationQuery of(ProjectNames names, Companion companion, Provisioner provisioner) {
        List<List<String>> parameters = new ArrayList<>();
        List<String> quoted = new ArrayList<>(List.of(PlatformNames.COMPANION_OWNER.sql()));
        List<String> labels = new ArrayList<>(List.of("companion"));
        for (DatabaseRole role : DatabaseRole.values()) {
            quoted.add(names.role(role).sql());
            labels.add(role.suffix());
        }
        parameters.add(quoted);
        parameters.add(labels);
        List<Identifier> schemas = new ArrayList<>(List.of(names.schema()));
        List<String> schemaLabels = new ArrayList<>(List.of("project"));
        for (CompanionSchema schema : CompanionSchema.values()) {
            schemas.add(schema.in(names));
            schemaLabels.add(schema.label());
        }
        parameters.add(schemas.stream().map(Identifier::sql).toList());
        parameters.add(schemaLabels);
        parameters.add(
                companion.tables().stream().map(table -> table.in(names).sql()).toList());
        parameters.add(companion.tables().stream().map(table -> table.label()).toList());
        parameters.add(functions(companion, function -> function.schema().label()));
        parameters.add(functions(companion, function -> function.name().name()));
        parameters.add(functions(companion, function -> function.argumentType().sql()));
        parameters.add(functions(companion, CompanionFunction::label));
        // What a shared database has once is not to be found in a project, except from before.
        parameters.add(names.layout() == Layout.SHARED ? List.of("retired") : List.of());
        parameters.add(List.of(ObjectLimitSteps.rowName(names)));
        parameters.add(List.of());
        return new ObservationQuery(SQL.get(provisioner), List.copyOf(parameters));
    }

    /** The same query, which returns no facts while they have this {@link Observation#fingerprint}. */
    public ObservationQuery unless(String fingerprint) {
        List<List<String>> all = new ArrayList<>(parameters);
        all.set(all.size() - 1, List.of(fingerprint));
        return new ObservationQuery(sql, List.copyOf(all));
    }

    private static List<String> functions(Companion companion, Function<CompanionFunction, String> property) {
        return companion.functions().stream().map(property).toList();
    }
}
