package svc.management.query;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolCall.Consent;
import svc.management.tool.ToolResult;

/** Asks the user of a client before SQL runs that may remove something, where the client can ask. */
public final class SqlConfirmation {
    private static final int MAX_SHOWN = 5;
    private static final int MAX_LENGTH = 300;

    private SqlConfirmation() {}

    /**
     * The question; empty where nothing is destroyed, the user has agreed, or the client cannot ask. It shows the statements
     * that destroy and not the beginning of the text, which may be harmless.
     *
     * @param authorized the call with the whole SQL, which the gate reads
     * @param last what the user is asked in the end
     */
    public static Optional<ToolResult> question(
            ToolCall call, SqlCalls calls, AuthorizedCall authorized, String sql, String last) {
        if (call.consent() != Consent.ASKABLE || call.readOnly()) {
            return Optional.empty();
        }
        List<String> found = DestructiveSql.statements(calls.statementKinds(authorized), sql);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String shown = found.stream().limit(MAX_SHOWN).map(SqlConfirmation::cut).collect(Collectors.joining("\n"));
        String more = found.size() > MAX_SHOWN ? "\nand " + (found.size() - MAX_SHOWN) + " more statements" : "";
        return Optional.of(new ToolResult.Ask("This SQL may remove data or objects of the project " + call.project()
                + ", permanently:\n" + shown + more + "\n" + last));
    }

    private static String cut(String statement) {
        return statement.length() > MAX_LENGTH ? statement.substring(0, MAX_LENGTH) + "…" : statement;
    }
}
