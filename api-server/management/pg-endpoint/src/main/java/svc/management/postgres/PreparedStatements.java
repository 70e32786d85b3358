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

/**
 * The prepared statements and portals of one session. A statement is a text: nothing of it is in PostgreSQL. What is kept
 * behind the message that brought it counts against the project's share of the memory.
 */
final class PreparedStatements {
    /** Heap of a statement, a portal, a value or a column beside its bytes. */
    private static final int OBJECT_COST = 200;

    private static final int VALUE_COST = 64;
    private static final int TYPE_COST = 24;

    private static final int MAX_STATEMENTS = 200;
    private static final int MAX_PORTALS = 50;

    /** In characters; PostgreSQL cuts a name after 63 bytes. */
    private static final int MAX_NAME = 200;

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

        /** Types as SQL has declared them, with brackets; empty for none. */
        final String declared;

        Optional<StatementDescription> description = Optional.empty();

        private long held;

        Prepared(String sql, List<Integer> types, String declared) {
            this.sql = sql;
            this.types = types;
            this.declared = declared;
        }

        private long bytes() {
            return OBJECT_COST + 2L * (sql.length() + declared.length()) + (long) TYPE_COST * types.size();
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
        private long held;

        Portal(Prepared statement, List<BoundValue> values, List<Integer> formats) {
            this.statement = statement;
            this.values = List.copyOf(values);
            this.formats = List.copyOf(formats);
        }

        Optional<ResultRows> rows() {
            return result.flatMap(StatementResult::rows);
        }

        /** With the statement's text, which the portal keeps when the statement is closed. */
        private long bytes() {
            return OBJECT_COST
                    + 2L * statement.sql.length()
                    + (long) VALUE_COST * values.size()
                    + (long) TYPE_COST * formats.size()
                    + values.stream().mapToLong(BoundValue::length).sum();
        }
    }

    void prepare(String name, String sql, List<Integer> types) {
        prepare(name, new Prepared(sql, types, ""));
    }

    /** The same for a statement that SQL prepares. */
    void prepare(PreparedSql.Prepare statement) {
        prepare(statement.name(), new Prepared(statement.statement(), List.of(), statement.types()));
    }

    /** @throws ProblemException for a name that is taken, or too long */
    void requireFree(String name) {
        requireShort(name);
        if (!name.isEmpty() && statements.containsKey(name)) {
            throw problem("42P05", "prepared statement \"" + name + "\" already exists", "Close it first.");
        }
    }

    private void prepare(String name, Prepared prepared) {
        requireFree(name);
        closeStatement(name);
        if (statements.size() >= MAX_STATEMENTS || !memory.take(prepared.bytes())) {
            throw problem(
                    "53000",
                    "the session, or its project, has too many prepared statements",
                    "Close some, or send statements without a name. A session has at most " + MAX_STATEMENTS + ".");
        }
        prepared.held = prepared.bytes();
        statements.put(name, prepared);
    }

    /** Keeps the description of a statement for the next time, if there is memory for it. */
    void keep(Prepared statement, StatementDescription description) {
        long bytes = (long) TYPE_COST * description.parameterTypes().size()
                + description.columns().stream()
                        .flatMap(List::stream)
                        .mapToLong(column -> VALUE_COST + 2L * column.name().length())
                        .sum();
        if (statements.containsValue(statement) && memory.take(bytes)) {
            statement.held += bytes;
            statement.description = Optional.of(description);
        }
    }

    private static void requireShort(String name) {
        if (name.length() > MAX_NAME) {
            throw problem("42622", "the name has more than " + MAX_NAME + " characters", "Use a shorter one.");
        }
    }

    Prepared statement(String name) {
        Prepared found = statements.get(name);
        if (found == null) {
            throw problem("26000", "prepared statement \"" + name + "\" does not exist", "Prepare it again.");
        }
        return found;
    }

    void bind(String name, Portal portal) {
        requireShort(name);
        if (!name.isEmpty() && portals.containsKey(name)) {
            throw problem("42P03", "cursor \"" + name + "\" already exists", "Close it first.");
        }
        closePortal(name);
        if (portals.size() >= MAX_PORTALS || !memory.take(portal.bytes())) {
            throw problem(
                    "53000", "the session, or its project, has too many portals", "Close some, or send fewer values.");
        }
        portals.put(name, portal);
    }

    /** Whether a Bind message has made a portal of that name. */
    boolean hasPortal(String name) {
        return portals.containsKey(name);
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

    /** Drops the rows of a portal that were all sent: it stays open until its transaction ends. */
    void finish(Portal portal) {
        portal.result = portal.result.map(result -> new StatementResult(
                result.tag(),
                result.rows().map(rows -> new ResultRows(rows.columns(), List.of(), false, rows.formats()))));
        portal.sent = 0;
        memory.giveBack(portal.held);
        portal.held = 0;
    }

    /** Heap of a row. */
    static long bytes(byte[][] row) {
        long bytes = 64;
        for (byte[] value : row) {
            bytes += 24 + (value == null ? 0 : value.length);
        }
        return bytes;
    }

    void closeStatement(String name) {
        Prepared closed = statements.remove(name);
        if (closed != null) {
            memory.giveBack(closed.held);
        }
    }

    /** Closes what a statement of SQL deallocates. */
    void deallocate(LocalStatement local) {
        if (local instanceof LocalStatement.Deallocate statement) {
            statement.name().ifPresentOrElse(this::closeStatement, this::closeStatements);
        } else if (local instanceof LocalStatement.ResetAll all && all.tag().equals(LocalTags.DISCARD_ALL)) {
            closeStatements();
        }
    }

    void closeStatements() {
        List.copyOf(statements.keySet()).forEach(this::closeStatement);
    }

    void closePortal(String name) {
        Portal closed = portals.remove(name);
        if (closed != null) {
            memory.giveBack(closed.bytes() + closed.held);
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
