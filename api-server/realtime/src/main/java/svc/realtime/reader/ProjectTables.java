package svc.realtime.reader;

import java.util.Optional;
import java.util.UUID;
import svc.database.name.ProjectNames;

/** Which project a table of a database belongs to, by its schema. */
@FunctionalInterface
public interface ProjectTables {
    /** Empty for a table of no project that is served. */
    Optional<Target> target(String schema, String table);

    /** @param messages whether the table is the project's {@code realtime.messages} */
    record Target(UUID projectId, boolean messages) {}

    /** The projects of a shared database: their schemas carry their ids. */
    static ProjectTables shared() {
        return (schema, table) -> {
            boolean companion = schema.endsWith("_realtime");
            String main = companion ? schema.substring(0, schema.length() - "_realtime".length()) : schema;
            return ProjectNames.projectIdOf(main)
                    // A partition of the table of messages is published as the table itself.
                    .filter(id -> !companion || table.equals("messages"))
                    .map(id -> new Target(id, companion));
        };
    }

    /** The project of a database of its own. */
    static ProjectTables dedicated(ProjectNames names) {
        return (schema, table) -> {
            if (schema.equals(names.schemaName())) {
                return Optional.of(new Target(names.projectId(), false));
            }
            return schema.equals(names.realtime().name()) && table.equals("messages")
                    ? Optional.of(new Target(names.projectId(), true))
                    : Optional.empty();
        };
    }
}
