package svc.api.management.query.gate;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.api.management.problem.ProblemCode;
import svc.api.management.query.gate.translation.OutsideTransaction;
import svc.api.management.query.gate.translation.Translator;
import svc.api.management.query.script.EditedScript;
import svc.api.sandbox.RefusedReason;
import svc.api.sandbox.SourceText;
import svc.api.sandbox.SqlReader;
import svc.api.sandbox.Statement;
import svc.database.name.ProjectNames;

/** From a script to a verdict. Fail-closed: what is not read and found to be allowed is rejected. */
@Singleton
public class ScriptGate {
    /** Longest script, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256 * 1024;

    private static final String UNREADABLE_HINT = "Nothing was run. Correct the SQL and send the whole script again.";
    private static final String SPLIT_HINT = "Send it in several calls.";

    private final ScriptReader reader;

    @Inject
    public ScriptGate(SqlReader reader) {
        this.reader = new ScriptReader(reader);
    }

    /** Takes a few milliseconds for an ordinary migration, and never longer than a few deadlines of the sandbox. */
    public Verdict judge(String sql, ProjectNames names) {
        if (sql.length() > MAX_BYTES || sql.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return new Verdict.Rejected(
                    ProblemCode.SQL_TOO_LARGE,
                    0,
                    Optional.empty(),
                    "a script of more than " + MAX_BYTES + " bytes",
                    SPLIT_HINT);
        }
        var source = new SourceText(sql);
        List<ReadStatement> script;
        try {
            script = reader.read(sql);
        } catch (UnreadableException e) {
            return unreadable(e, source);
        }
        var translator = new Translator(names);
        var gate = new SqlGate(names, translator, script);
        var translation = new ScriptTranslation(translator);
        for (ReadStatement read : script) {
            if (gate.isTransactionPart(read)) {
                translation.leaveOut(read.statement());
                continue;
            }
            Optional<Finding> finding = gate.judge(read).or(() -> translation.add(read));
            if (finding.isPresent()) {
                return rejected(finding.get(), read.statement(), source);
            }
        }
        boolean outside = script.size() == 1
                && OutsideTransaction.name(script.getFirst().statement()).isPresent();
        return new Verdict.Admitted(
                EditedScript.of(sql, translation.edits()),
                script.stream().map(read -> read.statement().kind()).toList(),
                outside ? Running.OUTSIDE_TRANSACTION : Running.IN_TRANSACTION,
                translation.tags());
    }

    private static Verdict unreadable(UnreadableException e, SourceText source) {
        if (e.reason().filter(RefusedReason::passing).isPresent()) {
            return new Verdict.Unknown(e.getMessage());
        }
        ProblemCode code = e.reason().filter(RefusedReason.TOO_LARGE::equals).isPresent()
                ? ProblemCode.SQL_TOO_LARGE
                : ProblemCode.SQL_UNPARSEABLE;
        Optional<SourceText.Place> place = e.position() > 0
                ? Optional.of(source.placeOfUnit(source.unitOfPosition(e.position())))
                : Optional.empty();
        return new Verdict.Rejected(code, e.statement(), place, e.getMessage(), UNREADABLE_HINT);
    }

    private static Verdict rejected(Finding finding, Statement statement, SourceText source) {
        int unit = finding.location() >= 0 ? source.unitOfByte(finding.location()) : statement.location();
        return new Verdict.Rejected(
                finding.code(),
                statement.number(),
                Optional.of(source.placeOfUnit(unit)),
                finding.what(),
                finding.hint());
    }
}
