package svc.database.sql;

/** What a placeholder of a {@link SqlTemplate} may be filled with. */
public sealed interface SqlValue permits Identifier, Literal, SqlFragment {
    /** The SQL text to send. */
    String sql();

    /** The same text with secrets left out; the only form that may reach a log or a status. */
    String printable();

    /** Whether {@link #printable} leaves something out. */
    boolean secret();
}
