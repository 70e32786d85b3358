package svc.api.management.query.gate;

import svc.api.management.query.gate.lexical.AgreedReader;
import svc.api.management.query.gate.mapping.FamiliarNames;
import svc.api.management.query.gate.mapping.NameMapping;
import svc.api.management.query.script.EditedScript;
import svc.api.management.query.script.OverlappingEditsException;
import svc.api.sandbox.SqlReader;
import svc.api.sandbox.SqlReading;

/** Scripts with nothing done to them but the replacement of names; statements that need not be sent are still there. */
public record MappedText(SqlReader reader, FamiliarNames names) {
    /** Scripts that the gate admits. */
    public static String[] allowed() {
        return ScriptGateTest.ALLOWED.clone();
    }

    public String text(String sql) {
        try (SqlReading reading = reader.begin()) {
            var written = new ScriptReading(sql, reading, new AgreedReader(reader)).written();
            return EditedScript.of(sql, new NameMapping(names).edits(sql, written.statements()))
                    .text();
        } catch (UnreadableException | OverlappingEditsException e) {
            throw new IllegalArgumentException(e.getMessage() + ": " + sql, e);
        }
    }
}
