package svc.management.postgres;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.shared.CatalogViews;
import svc.database.sql.Identifier;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun.Results;

/**
 * Changes the settings of a session. The server judges values; a search path goes through the gate, which maps its schemas.
 */
final class SettingStatements {
    private static final String SEARCH_PATH = "search_path";

    private static final List<String> ONLY_CATALOG = List.of("", "pg_catalog");

    /** Schemas that are always searched, where the gate puts them. */
    private static final List<String> IN_FORCE = List.of("", "$user", "public", "extensions", "pg_catalog");

    /** What PostgreSQL searches with an empty path, here. */
    private static final String CATALOG_ALONE = CatalogViews.SCHEMA + ", pg_catalog";

    private final SessionCalls calls;
    private final SessionStatements.Callers callers;
    private final ClientSettings settings;
    private final ClientTransaction transaction;

    SettingStatements(
            SessionCalls calls,
            SessionStatements.Callers callers,
            ClientSettings settings,
            ClientTransaction transaction) {
        this.calls = calls;
        this.callers = callers;
        this.settings = settings;
        this.transaction = transaction;
    }

    /**
     * Takes what a session begins with.
     *
     * @throws ProblemException if the server refuses a value
     */
    void begin(List<LocalStatement> wanted) {
        Map<String, String> asked = new LinkedHashMap<>();
        for (LocalStatement one : wanted) {
            if (one instanceof LocalStatement.Modes modes) {
                transaction.follow(modes.modes());
            } else if (one instanceof LocalStatement.Setting setting) {
                String value = setting.value().orElse("");
                settings.evident(setting.name(), value)
                        .ifPresentOrElse(
                                known -> settings.set(Map.of(setting.name(), known), false),
                                () -> asked.put(setting.name(), value));
            }
        }
        if (!asked.isEmpty()) {
            settings.set(calls.accepted(callers.turn(""), asked), false);
        }
    }

    /** Whether a search path is the one that holds anyway. */
    static boolean isInForce(List<String> schemas) {
        return IN_FORCE.containsAll(schemas);
    }

    void set(LocalStatement.Setting setting) {
        String name = setting.name();
        if (setting.value().isEmpty()) {
            reset(name);
            return;
        }
        if (setting.local() && !transaction.begun()) {
            return;
        }
        String value = setting.value().get();
        if (value.indexOf('\0') >= 0) {
            throw Problem.of(ProblemCode.SQL_ERROR, "invalid value for parameter \"" + name + "\": it has a NUL")
                    .withHint("Leave the NUL out.")
                    .with("sqlstate", "22023")
                    .asException();
        }
        Optional<String> evident = settings.evident(name, value);
        boolean live = transaction.touched().isPresent() || setting.local();
        if (evident.isPresent() && !live) {
            settings.set(Map.of(name, evident.get()), false);
            return;
        }
        if (name.equals("application_name")) {
            settings.set(Map.of(name, evident.orElse("")), setting.local());
            return;
        }
        AuthorizedCall authorized = callers.turn("");
        Map<String, String> accepted = live
                ? transaction.opened().set(authorized, Map.of(name, value), setting.local())
                : calls.accepted(authorized, Map.of(name, value));
        settings.set(accepted, setting.local());
    }

    private void reset(String name) {
        if (transaction.touched().isPresent() && settings.has(name)) {
            Optional<String> initial = settings.initial(name);
            if (initial.isEmpty()) {
                throw Problem.of(
                                ProblemCode.SQL_FORBIDDEN_STATEMENT,
                                "The transaction has begun with another " + name + ".")
                        .withHint("Reset it outside of the transaction, or set the value that it shall have.")
                        .asException();
            }
            transaction.opened().set(callers.turn(""), Map.of(name, initial.get()), false);
        }
        settings.reset(name);
    }

    void searchPath(LocalStatement.SearchPath path) {
        if (path.local() && !transaction.begun()) {
            return;
        }
        if (leavesTheCatalog(path.schemas()) && namesDefinitions()) {
            searchTheCatalogAlone(path.local());
            return;
        }
        boolean reset = isInForce(path.schemas());
        if (reset && transaction.touched().isEmpty()) {
            settings.reset(SEARCH_PATH);
            names(printed(path.schemas()), path.local());
            return;
        }
        String set = reset
                ? "RESET search_path"
                : "SET " + (path.local() ? "LOCAL " : "") + "search_path TO "
                        + path.schemas().stream()
                                .filter(Identifier::fits)
                                .map(name -> Identifier.of(name).sql())
                                .collect(Collectors.joining(", "));
        AuthorizedCall authorized = callers.turn(set + "; SELECT current_setting('search_path')");
        var text = new SessionCalls.Text(List.of(), false, Results.LAST, List.of(), Set.of(), Optional.empty());
        ScriptOutcome.Committed ran = transaction.begun()
                ? transaction.opened().run(authorized, text)
                : calls.run(authorized, text, transaction.beginning());
        if (reset) {
            settings.reset(SEARCH_PATH);
            names(printed(path.schemas()), path.local());
        } else {
            settings.set(Map.of(SEARCH_PATH, value(ran)), path.local());
            names(Optional.of(value(ran)), path.local());
        }
    }

    private static boolean leavesTheCatalog(List<String> schemas) {
        return !schemas.isEmpty() && ONLY_CATALOG.containsAll(schemas);
    }

    private boolean namesDefinitions() {
        return !SessionCalls.namesOfDefinitions(callers.of("").tenant(), null).isEmpty();
    }

    /** As pg_dump asks for it: what the server prints is qualified then, types and relations as well. */
    private void searchTheCatalogAlone(boolean local) {
        Map<String, String> path = Map.of(SEARCH_PATH, CATALOG_ALONE);
        if (local || transaction.touched().isPresent()) {
            transaction.opened().set(callers.turn(""), path, local);
        }
        settings.set(path, local);
        names(Optional.of(CATALOG_ALONE), local);
    }

    /** With a path that holds anyway names are found, and are printed as with what was asked for. */
    private static Optional<String> printed(List<String> schemas) {
        return schemas.isEmpty() || schemas.contains("public") ? Optional.empty() : Optional.of("");
    }

    /** How definitions name schemas under a search path; empty for the session's own. */
    private void names(Optional<String> path, boolean local) {
        Map<String, String> wanted =
                SessionCalls.namesOfDefinitions(callers.of("").tenant(), path.orElse(null));
        if (!wanted.isEmpty()) {
            if (transaction.touched().isPresent()) {
                transaction.opened().set(callers.turn(""), wanted, local);
            }
            settings.set(wanted, local);
        }
    }

    private static String value(ScriptOutcome.Committed ran) {
        ResultRows rows = ran.rows().orElseThrow();
        return new String(rows.rows().getFirst()[0], StandardCharsets.UTF_8);
    }
}
