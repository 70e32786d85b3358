package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.platform.problem.ProblemException;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.SupabaseAliases;

/**
 * Removes what a failed CREATE INDEX CONCURRENTLY or REINDEX CONCURRENTLY leaves behind: an index that no query uses and every
 * write maintains. As the project's owner, and only indexes that became invalid since a moment before.
 */
@ApplicationScoped
class InvalidIndexes {
    private static final Duration TIME = Duration.ofSeconds(10);

    /** As the grammar names them. */
    private static final Set<String> BUILDING = Set.of("IndexStmt", "ReindexStmt");

    /** Names in it are the filtered views, where there are any, and objects are printed with their schemas. */
    private static final SqlFragment ENVIRONMENT =
            SqlFragment.of("SET LOCAL search_path = svc_views, pg_catalog; SET LOCAL lock_timeout = '2s';\n");

    /** Without those of partitioned tables, which are invalid until each partition has one, and are no remains. */
    private static final SqlFragment INVALID = SqlFragment.of(
            "SELECT i.indexrelid::text, i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                    + " WHERE NOT i.indisvalid AND c.relkind = 'i' AND pg_has_role(c.relowner, 'USAGE')");

    /**
     * A statement that builds an index holds this lock on the table until its end, so an index whose table can have it is
     * abandoned. It is read again under the lock: it may have become valid.
     */
    private static final SqlFragment DROP = SqlFragment.of("""
            DO $$ DECLARE found record;
            BEGIN
              FOR found IN SELECT i.indexrelid AS id, i.indrelid::regclass AS of FROM pg_index i
                  WHERE NOT i.indisvalid AND i.indexrelid = ANY (current_setting('svc.made')::oid[]) LOOP
                BEGIN
                  EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', found.of);
                  IF EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = found.id AND NOT i.indisvalid) THEN
                    EXECUTE format('DROP INDEX %s', found.id::regclass);
                  END IF;
                EXCEPTION WHEN lock_not_available THEN NULL;
                END;
              END LOOP;
            END $$""");

    private final OwnerSessions sessions;

    InvalidIndexes(OwnerSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * An index that is invalid.
     *
     * @param id its number
     * @param name as SQL names it in the database
     */
    private record Index(String id, String name) {}

    /** To be called before a statement is run; empty for one that builds no index concurrently. */
    Optional<Build> build(OwnerLogin login, Verdict.Admitted admitted) {
        boolean builds = admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION
                && BUILDING.containsAll(admitted.summary().kinds());
        return builds ? Optional.of(new Build(login, admitted.names(), of(login))) : Optional.empty();
    }

    /** A statement that builds an index concurrently, and may leave it. */
    final class Build {
        private final OwnerLogin login;
        private final SupabaseAliases names;
        private final Optional<List<Index>> before;

        private Build(OwnerLogin login, SupabaseAliases names, Optional<List<Index>> before) {
            this.login = login;
            this.names = names;
            this.before = before;
        }

        /** Drops what the failed statement has left; the answer's problem says what could not be dropped. */
        ProblemException failed(ProblemException why) {
            Optional<List<Index>> left = before.flatMap(known -> dropNew(login, known));
            if (left.isPresent() && left.get().isEmpty()) {
                return why;
            }
            List<String> found = left.orElse(List.of()).stream()
                    .map(index -> names.toAliases(index.name()))
                    .toList();
            return SqlProblems.leftIndexes(why.problem(), found).asException(why);
        }
    }

    /** Those that are invalid now; empty if the database does not answer. */
    private Optional<List<Index>> of(OwnerLogin login) {
        ScriptOutcome outcome = sessions.run(
                login, ScriptRun.of(ENVIRONMENT.append(INVALID).sql(), TIME).in(ScriptRun.Mode.READ_ONLY));
        return outcome instanceof ScriptOutcome.Committed committed
                ? committed
                        .rows()
                        .map(rows -> rows.rows().stream()
                                .map(row -> new Index(text(row[0]), text(row[1])))
                                .toList())
                : Optional.empty();
    }

    /** What is left of those that became invalid since then, because their tables are in use; empty if that is unknown. */
    private Optional<List<Index>> dropNew(OwnerLogin login, List<Index> before) {
        Optional<List<Index>> made = since(login, before);
        if (made.isEmpty() || made.get().isEmpty()) {
            return made;
        }
        Literal ids = Literal.of(made.get().stream().map(Index::id).collect(Collectors.joining(",", "{", "}")));
        SqlFragment script = ENVIRONMENT
                .append("SELECT set_config('svc.made', ")
                .append(ids)
                .append(", true);\n")
                .append(DROP);
        sessions.run(login, ScriptRun.of(script.sql(), TIME));
        return since(login, before);
    }

    private Optional<List<Index>> since(OwnerLogin login, List<Index> before) {
        return of(login)
                .map(now -> now.stream()
                        .filter(index ->
                                before.stream().noneMatch(known -> known.id().equals(index.id())))
                        .toList());
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
