package svc.management.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.management.postgres.value.BoundValue;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.StatementDescription;
import svc.postgres.script.StatementResult;

/** The prepared statements and portals of one session. A statement is a text: nothing of it is in PostgreSQL. */
final class PreparedStatements {
    private static final int MAX_STATEMENTS = 200;
    private static final int MAX_PORTALS = 50;

    private final Map<String, Prepared> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private final Memory memory;

    /** The session's share of the memory. */
    interface Memory {
        /** False if there is not that much. */
        boolean take(long bytes);

        void giveBack(long bytes);
    }

    PreparedStatements(Memory memory) {
        this.memory = memory;
    }

    /** A prepared statement. */
    static final class Prepared {
        final String sql;
        final List<Integer> types;
        Optional<StatementDescription> description = Optional.empty();
        /** Whether a description of it was counted, which stands for its first run. */
        boolean counted;

        Prepared(String sql, List<Integer> types) {
            this.sql = sql;
            this.types = types;
        }

        long bytes() {
            return 2L * sql.length() + 4L * types.size() + 200;
        }
    }

    /** A statement with its values. */
    static final class Portal {
        final Prepared statement;
        final List<BoundValue> values;
        final List<Integer> formats;
        /** Whether the client waits for the description of its rows. */
        boolean described;
        /** Once it has run. */
        Optional<StatementResult> result = Optional.empty();

        int sent;
        long held;

        Portal(Prepared statement, List<BoundValue> values, List<Integer> formats) {
            this.statement = statement;
            this.values = List.copyOf(values);
            this.formats = List.copyOf(formats);
        }

        Optional<ResultRows> rows() {
            return result.flatMap(StatementResult::rows);
        }
    }

    void prepare(String name, String sql, List<Integer> types) {
        if (!name.isEmpty() && statements.containsKey(name)) {
            throw problem("42P05", "prepared statement \"" + name + "\" already exists", "Close it first.");
        }
        closeStatement(name);
        var prepared = new Prepared(sql, types);
        if (statements.size() >= MAX_STATEMENTS || !memory.take(prepared.bytes())) {
            throw problem(
                    "53000",
                    "the session, or its project, has too many prepared statements",
                    "Close some, or send statements without a name. A session has at most " + MAX_STATEMENTS + ".");
        }
        statements.put(name, prepared);
    }

    Prepared statement(String name) {
        Prepared found = statements.get(name);
        if (found == null) {
            throw problem("26000", "prepared statement \"" + name + "\" does not exist", "Prepare it again.");
        }
        return found;
    }

    void bind(String name, Portal portal) {
        if (!name.isEmpty() && portals.containsKey(name)) {
            throw problem("42P03", "cursor \"" + name + "\" already exists", "Close it first.");
        }
        closePortal(name);
        if (portals.size() >= MAX_PORTALS) {
            throw problem("53000", "the session has too many portals", "Close some, or send Sync.");
        }
        portals.put(name, portal);
    }

    Portal portal(String name) {
        Portal found = portals.get(name);
        if (found == null) {
            throw problem("34000", "portal \"" + name + "\" does not exist", "Bind it again.");
        }
        return found;
    }

    /** Keeps the rows of a portal for its next run. */
    void hold(Portal portal) {
        if (portal.held == 0) {
            long bytes = portal.rows().stream()
                    .flatMap(rows -> rows.rows().stream())
                    .mapToLong(PreparedStatements::bytes)
                    .sum();
            if (!memory.take(bytes)) {
                throw problem(
                        "53200",
                        "there is no memory to keep the rest of the rows",
                        "Ask for all rows at once, or use LIMIT and OFFSET.");
            }
            portal.held = bytes;
        }
    }

    private static long bytes(byte[][] row) {
        long bytes = 64;
        for (byte[] value : row) {
            bytes += 24 + (value == null ? 0 : value.length);
        }
        return bytes;
    }

    void closeStatement(String name) {
        Prepared closed = statements.remove(name);
        if (closed != null) {
            memory.giveBack(closed.bytes());
        }
    }

    void closeStatements() {
        List.copyOf(statements.keySet()).forEach(this::closeStatement);
    }

    void closePortal(String name) {
        Portal closed = portals.remove(name);
        if (closed != null) {
            memory.giveBack(closed.held);
        }
    }

    /** At the end of a transaction. */
    void closePortals() {
        List.copyOf(portals.keySet()).forEach(this::closePortal);
    }

    private static ProblemException problem(String sqlState, String message, String hint) {
        return Problem.of(ProblemCode.SQL_ERROR, message)
                .withHint(hint)
                .with("sqlstate", sqlState)
                .asException();
    }
}
