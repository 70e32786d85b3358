package svc.sqlgate;

import svc.sqlgate.lexical.ConsensusParser;
import svc.sqlgate.mapping.NameMapping;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SqlReader;
import svc.sqlgate.parser.SqlReading;
import svc.sqlgate.script.EditedScript;
import svc.sqlgate.script.OverlappingEditsException;

/** Scripts with nothing done to them but the replacement of names; statements that need not be sent are still there. */
public record MappedText(SqlReader reader, SupabaseAliases names) {
    /** Scripts that the gate admits. */
    public static String[] allowed() {
        return AdmittedScriptsTest.ALLOWED.clone();
    }

    public String text(String sql) {
        try (SqlReading reading = reader.begin()) {
            var written = new ScriptReading(sql, reading, new ConsensusParser(reader)).written();
            return EditedScript.of(sql, new NameMapping(names).edits(sql, written.statements()))
                    .text();
        } catch (UnreadableException | OverlappingEditsException e) {
            throw new IllegalArgumentException(e.getMessage() + ": " + sql, e);
        }
    }
}
