package svc.api.management.query.gate;

import svc.api.management.query.gate.lexical.AgreedReader;
import svc.api.management.query.gate.mapping.FamiliarNames;
import svc.api.management.query.gate.mapping.NameMapping;
import svc.api.management.query.script.EditedScript;
import svc.api.sandbox.SqlReader;

/** Scripts with nothing done to them but the replacement of names; statements that need not be sent are still there. */
public record MappedText(SqlReader reader, FamiliarNames names) {
    /** Scripts that the gate admits. */
    public static String[] allowed() {
        return ScriptGateTest.ALLOWED.clone();
    }

    public String text(String sql) {
        try {
            var written = new ScriptReading(reader, new AgreedReader(reader)).written(sql);
            return EditedScript.of(sql, new NameMapping(names).edits(sql, written.statements()))
                    .text();
        } catch (UnreadableException e) {
            throw new IllegalArgumentException(sql, e);
        }
    }
}
