package svc.sqlgate.translation;

import java.util.Map;
import java.util.Optional;

/** What stands in for extensions that projects often ask for and that no project has, by their names and their schemas. */
public final class StandIns {
    private static final String REQUESTS =
            "SQL here sends no requests: send them from an edge function, which the application"
                    + " or a scheduled job outside of the database calls at /functions/v1/<name>.";
    private static final String SECRETS =
            "Secrets are kept for edge functions: PUT /v1/projects/{ref}/functions/secrets.";
    private static final String SCHEDULER =
            "There is no scheduler in the database: call an edge function at /functions/v1/<name>, or POST"
                    + " /v1/projects/{ref}/database/query, from a scheduled job outside of it, such as a CronJob or CI.";
    private static final String QUEUE =
            "Keep the queue in a table, and take jobs with SELECT … FOR UPDATE SKIP LOCKED in a function that an edge"
                    + " function calls.";

    private static final Map<String, String> EXTENSIONS = Map.of(
            "pg_net",
            REQUESTS,
            "http",
            REQUESTS,
            "pg_cron",
            SCHEDULER,
            "pgmq",
            QUEUE,
            "supabase_vault",
            SECRETS,
            "vault",
            SECRETS,
            "pgsodium",
            SECRETS,
            "pgjwt",
            "Tokens are issued by /auth/v1; auth.jwt() has the claims of the caller's. pgcrypto has hmac().");

    private static final Map<String, String> SCHEMAS = Map.of(
            "net", REQUESTS,
            "cron", SCHEDULER,
            "pgmq", QUEUE,
            "pgmq_public", QUEUE,
            "vault", SECRETS,
            "graphql", "GraphQL is served at /graphql/v1; comments of tables and schemas set it up.");

    private StandIns() {}

    static Optional<String> ofExtension(String name) {
        return Optional.ofNullable(EXTENSIONS.get(name));
    }

    /** For a schema that Supabase or an extension makes, and that is none of the project's. */
    public static Optional<String> ofSchema(String name) {
        return Optional.ofNullable(SCHEMAS.get(name));
    }
}
