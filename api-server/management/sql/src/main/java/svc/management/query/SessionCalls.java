package svc.management.query;

import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.query.SessionOptions.ResultNames;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.CopyPeer;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.script.StatementDescription;
import svc.sqlgate.ClientStatement;

/**
 * The calls of a client that keeps a connection: each goes the way of a call of {@code /database/query}, through the gate,
 * the audit and a login of the project's owner.
 */
@ApplicationScoped
public class SessionCalls {
    /** Which names definitions have; read by {@code svc_guard.familiar}. */
    private static final String NAMES = "svc.names";

    private static final Pattern PATH = Pattern.compile("[ ,\"]+");

    private final SessionParts parts;

    SessionCalls(
            SqlCalls calls,
            SqlAudit audit,
            OwnerSessions sessions,
            DescribeCalls descriptions,
            AuthPreparation authPreparation,
            QueryConfig config,
            ProjectLog log) {
        this.parts = new SessionParts(calls, audit, sessions, descriptions, authPreparation, config, log);
    }

    /**
     * Refuses a call whose turn has not come.
     *
     * @param wait until one more is possible
     */
    public ProblemException throttled(AuthorizedCall authorized, Duration wait) {
        Problem problem = Problem.of(
                        ProblemCode.RATE_LIMIT_EXCEEDED,
                        "The project, or its organisation, has used its statements and their time on connections.")
                .withHint("Send several statements as one message, or retry in "
                        + Math.max(1, wait.plusMillis(999).toSeconds()) + " seconds.")
                .retryAfter(wait);
        return parts.calls()
                .rejected(authorized.call(), Kind.THROTTLED, problem)
                .asException();
    }

    /**
     * How a transaction, or a statement by itself, begins.
     *
     * @param settings starting values of the session, that {@link #accepted} has returned
     */
    public record Beginning(boolean readOnly, Map<String, String> settings) {
        public Beginning {
            settings = Map.copyOf(settings);
        }

        /** The starting values of a session of a project. */
        Map<String, String> settings(Tenant tenant) {
            Map<String, String> all = new LinkedHashMap<>(namesOfDefinitions(tenant, settings.get("search_path")));
            all.putAll(settings);
            return all;
        }

        Mode mode() {
            return readOnly ? Mode.READ_ONLY : Mode.TRANSACTION;
        }

        /** The options of a call that begins so. */
        QueryCall query(Text text, QueryConfig config, Tenant tenant) {
            return new QueryCall(
                    text.parameters(),
                    mode(),
                    text.results(),
                    config.timeout(),
                    config.maxTimeout(),
                    Optional.empty(),
                    new SessionOptions(
                            settings(tenant), text.formats(), text.open(), text.copy(), ResultNames.FAMILIAR));
        }
    }

    /**
     * A text of a call.
     *
     * @param single whether it must be one statement
     * @param formats of the rows of a single one, as a Bind message has them; none for text
     * @param open to this text beside the statements of every script
     * @param copy the client's end of a COPY; without one it is refused
     */
    public record Text(
            List<ScriptParameter> parameters,
            boolean single,
            Results results,
            List<Integer> formats,
            Set<ClientStatement> open,
            Optional<CopyPeer> copy) {
        public Text {
            parameters = List.copyOf(parameters);
            formats = List.copyOf(formats);
            open = Set.copyOf(open);
        }
    }

    /** Runs a call in a transaction of its own. */
    public ScriptOutcome.Committed run(AuthorizedCall authorized, Text text, Beginning beginning) {
        if (text.single() && authorized.call().sql().stripTrailing().indexOf(';') >= 0) {
            parts.calls()
                    .requireSingle(
                            authorized, parts.calls().statementKinds(authorized).size());
        }
        return parts.calls().run(authorized, beginning.query(text, parts.config(), authorized.tenant()));
    }

    /**
     * Asks what a statement takes and returns.
     *
     * @param types of its first parameters; 0 for one that the server infers
     */
    public StatementDescription describe(AuthorizedCall authorized, List<Integer> types, Beginning beginning) {
        return parts.descriptions().describe(authorized, types, beginning.settings(authorized.tenant()));
    }

    /**
     * Asks the server whether it accepts settings.
     *
     * @return them as it writes them
     * @throws ProblemException if it refuses one
     */
    public Map<String, String> accepted(AuthorizedCall authorized, Map<String, String> settings) {
        try (SessionTransaction asked = begin(new Beginning(true, Map.of()))) {
            return asked.set(authorized, settings, true);
        }
    }

    /**
     * The setting that gives definitions familiar names, for sessions of a project on a shared database; none for another.
     *
     * @param searchPath null for the one that the session has of its own
     */
    public static Map<String, String> namesOfDefinitions(Tenant tenant, String searchPath) {
        ProjectNames names = tenant.names();
        if (tenant.adoption().isPresent() || names.layout() != Layout.SHARED) {
            return Map.of();
        }
        boolean visible = searchPath == null || List.of(PATH.split(searchPath)).contains(names.schemaName());
        return Map.of(NAMES, visible ? "short" : "full");
    }

    /** The longest that a statement may run. */
    public Duration longest() {
        return parts.config().timeout();
    }

    /** Begins a transaction of several calls; nothing is sent to the database before its first. */
    public SessionTransaction begin(Beginning beginning) {
        return new SessionTransaction(parts, beginning);
    }
}
