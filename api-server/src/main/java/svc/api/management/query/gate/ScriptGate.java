package svc.api.management.query.gate;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.api.management.problem.ProblemCode;
import svc.api.management.query.script.Edit;
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
        var gate = new SqlGate(names);
        for (ReadStatement read : script) {
            Optional<Finding> finding = gate.judge(read);
            if (finding.isPresent()) {
                return rejected(finding.get(), read.statement(), source);
            }
        }
        return new Verdict.Admitted(
                withoutWhatIsDone(sql, script),
                script.stream().map(read -> read.statement().kind()).toList(),
                Running.IN_TRANSACTION);
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

    /** Statements that ask for what is so already are left out. */
    private static EditedScript withoutWhatIsDone(String sql, List<ReadStatement> script) {
        return EditedScript.of(
                sql,
                script.stream()
                        .map(ReadStatement::statement)
                        .filter(statement -> StatementRules.isDoneAlready(statement.kind(), statement.tree()))
                        .map(done -> new Edit(done.location(), done.location() + done.length(), ""))
                        .toList());
    }
}
