package svc.sqlgate.translation;

import java.util.Map;
import java.util.Optional;

/** What stands in for the schemas of extensions that projects often ask for and that no project has. */
public final class StandIns {
    private static final Map<String, String> SCHEMAS =
            Map.of("graphql", "GraphQL is served at /graphql/v1; comments of tables and schemas set it up.");

    private StandIns() {}

    /** For a schema that Supabase or an extension makes, and that is none of the project's. */
    public static Optional<String> ofSchema(String name) {
        return Optional.ofNullable(SCHEMAS.get(name));
    }
}
