package svc.database.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * The one query that finds out what is true of a project. Its text is the same for every project, so a connection prepares
 * it once; the names are parameters. Each row is a {@link Fact}: kind, subject, value.
 *
 * @param sql with eight {@code ?} places
 * @param parameters for these places in order, each a {@code text[]}
 */
public record ObservationQuery(SqlFragment sql, List<List<String>> parameters) {
    private static final SqlFragment SQL =
            SqlTemplate.resource(ObservationQuery.class, "observe.sql").bind(Map.of());

    /** The session must have {@code search_path = pg_catalog} and may read pg_authid. */
    public static ObservationQuery of(ProjectNames names, Companion companion) {
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
        parameters.add(companion.functions().stream()
                .map(function -> function.in(names).sql())
                .toList());
        parameters.add(
                companion.functions().stream().map(function -> function.label()).toList());
        return new ObservationQuery(SQL, List.copyOf(parameters));
    }
}
