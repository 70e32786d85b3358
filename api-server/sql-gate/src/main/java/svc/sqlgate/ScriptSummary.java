package svc.sqlgate;

import java.util.List;
import java.util.Optional;

/**
 * The audit's record of a script, instead of its text.
 *
 * @param kinds the grammar's names of its statements; none when it was not read
 * @param fingerprint what scripts have in common that differ in constants, blanks and comments only; empty when it could not
 *     be made
 */
public record ScriptSummary(List<String> kinds, Optional<String> fingerprint) {
    /** Of a script that was not read. */
    public static final ScriptSummary NONE = new ScriptSummary(List.of(), Optional.empty());

    public ScriptSummary {
        kinds = List.copyOf(kinds);
    }
}
