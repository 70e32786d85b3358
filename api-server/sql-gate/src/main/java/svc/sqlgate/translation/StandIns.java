package svc.sqlgate.translation;

import java.util.Map;
import java.util.Optional;

/** What stands in for the schemas of extensions that projects often ask for and that no project has. */
public final class StandIns {
    private static final String REQUESTS =
            "SQL here sends no requests: send them from an edge function, which the application"
                    + " or a scheduled job outside of the database calls at /functions/v1/<name>.";
    private static final String SECRETS =
            "Secrets are kept for edge functions: PUT /v1/projects/{ref}/functions/secrets.";
    private static final String SCHEDULER =
            "There is no scheduler in the database: call an edge function at /functions/v1/<name>, or POST"
                    + " /v1/projects/{ref}/database/query, from a scheduled job outside of it, such as a CronJob or CI.";
    private static final Map<String, String> SCHEMAS = Map.of(
            "net", REQUESTS,
            "cron", SCHEDULER,
            "vault", SECRETS,
            "graphql", "GraphQL is served at /graphql/v1; comments of tables and schemas set it up.");

    private StandIns() {}

    /** For a schema that Supabase or an extension makes, and that is none of the project's. */
    public static Optional<String> ofSchema(String name) {
        return Optional.ofNullable(SCHEMAS.get(name));
    }
}
