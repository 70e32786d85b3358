package svc.sqlgate;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.lexical.ConsensusParser;
import svc.sqlgate.mapping.BoundNames;
import svc.sqlgate.mapping.NameMapping;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.RefusedReason;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.SqlReader;
import svc.sqlgate.parser.SqlReading;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.script.EditedScript;
import svc.sqlgate.script.OverlappingEditsException;
import svc.sqlgate.translation.OutsideTransaction;
import svc.sqlgate.translation.TakenRoles;
import svc.sqlgate.translation.Translator;

/** From a script to a verdict. Fail-closed: what is not read and found to be allowed is rejected. */
@Singleton
public class ScriptGate {
    /** Longest script, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256 * 1024;

    private static final String UNREADABLE_HINT = "Nothing was run. Correct the SQL and send the whole script again.";
    private static final String SPLIT_HINT = "Send it in several calls.";

    private final SqlReader reader;
    private final ConsensusParser agreed;

    @Inject
    public ScriptGate(SqlReader reader) {
        this.reader = reader;
        this.agreed = new ConsensusParser(reader);
    }

    /** Takes a few milliseconds for an ordinary migration, and never longer than a few deadlines of the sandbox. */
    public Verdict judge(String sql, ProjectNames project) {
        return judge(sql, SupabaseAliases.of(project), new Translator(project), new GateScope(project));
    }

    /** The same for an adopted database: its names are real, so none is replaced and no statement is translated. */
    public Verdict judgeAdopted(String sql, ProjectNames project) {
        return judge(sql, SupabaseAliases.none(), Translator.none(project), GateScope.adopted());
    }

    private Verdict judge(String sql, SupabaseAliases names, Translator translator, GateScope scope) {
        if (sql.length() > MAX_BYTES || sql.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return new Verdict.Rejected(
                    ProblemCode.SQL_TOO_LARGE,
                    0,
                    Optional.empty(),
                    "a script of more than " + MAX_BYTES + " bytes",
                    SPLIT_HINT,
                    ScriptSummary.NONE);
        }
        try (SqlReading sandbox = reader.begin()) {
            return judge(sql, new ScriptReading(sql, sandbox, agreed), names, translator, scope);
        }
    }

    private static Verdict judge(
            String sql, ScriptReading reading, SupabaseAliases aliases, Translator translator, GateScope scope) {
        ScriptReading.Written written;
        try {
            written = reading.written();
        } catch (UnreadableException e) {
            return unreadable(e, EditedScript.unchanged(sql), reading);
        }
        NameMapping.Mapped names = new NameMapping(aliases).map(sql, reading.tokens(), written.statements());
        EditedScript mapped;
        try {
            mapped = EditedScript.of(sql, names.edits());
        } catch (OverlappingEditsException e) {
            return differing(reading);
        }
        List<ReadStatement> sent;
        try {
            // The text that is sent is judged, not an intermediate one.
            sent = reading.sent(mapped, written);
        } catch (UnreadableException e) {
            return unreadable(e, mapped, reading);
        }
        if (written.statements().size() != sent.size()) {
            return differing(reading);
        }
        List<Integer> starts =
                written.parsed().statements().stream().map(Statement::location).toList();
        return judge(reading, new Sent(mapped, sent, starts, names.bound(), aliases), translator, scope);
    }

    /**
     * A script with the project's names.
     *
     * @param statements as they are read in the text that is sent
     * @param starts of the statements in the caller's text
     */
    private record Sent(
            EditedScript script,
            List<ReadStatement> statements,
            List<Integer> starts,
            BoundNames bound,
            SupabaseAliases names) {}

    private static Verdict judge(ScriptReading reading, Sent sent, Translator translator, GateScope scope) {
        List<ReadStatement> statements = sent.statements();
        var gate = new SqlGate(scope, translator, statements);
        var roles = new TakenRoles(statements);
        var translation = new ScriptTranslation(translator, roles);
        for (ReadStatement read : statements) {
            if (gate.isTransactionPart(read)) {
                translation.leaveOut(read.statement());
                continue;
            }
            Optional<Finding> finding = gate.judge(read).or(() -> translation.add(read));
            if (finding.isPresent()) {
                return rejected(finding.get(), read.statement(), sent.script(), sent.names(), reading);
            }
        }
        boolean outside = statements.size() == 1
                && OutsideTransaction.name(statements.getFirst().statement()).isPresent();
        try {
            return new Verdict.Admitted(
                    sent.script().changed(translation.edits()),
                    sent.starts(),
                    reading.summary(),
                    sent.names(),
                    sent.bound(),
                    outside ? ExecutionMode.OUTSIDE_TRANSACTION : ExecutionMode.IN_TRANSACTION,
                    scope.authSchema()
                            .filter(auth -> AuthTables.neededBy(statements, auth))
                            .isPresent(),
                    translation.tags(),
                    roles.any());
        } catch (OverlappingEditsException e) {
            return differing(reading);
        }
    }

    /** No text is known that gets here; one that does is refused rather than run as something else. */
    private static Verdict differing(ScriptReading reading) {
        return new Verdict.Rejected(
                ProblemCode.SQL_UNPARSEABLE,
                0,
                Optional.empty(),
                "with the project's own names it can be read in another way",
                "Leave the qualifiers public, auth and storage out where nothing needs them, and send it in several calls.",
                reading.summary());
    }

    private static Verdict unreadable(UnreadableException e, EditedScript script, ScriptReading reading) {
        if (e.reason().filter(RefusedReason::passing).isPresent()) {
            return new Verdict.Unknown(e.getMessage());
        }
        ProblemCode code = e.reason().filter(RefusedReason.TOO_LARGE::equals).isPresent()
                ? ProblemCode.SQL_TOO_LARGE
                : ProblemCode.SQL_UNPARSEABLE;
        Optional<SourceText.Place> place =
                e.position() > 0 ? Optional.of(script.placeOf(e.position())) : Optional.empty();
        return new Verdict.Rejected(code, e.statement(), place, e.getMessage(), UNREADABLE_HINT, reading.summary());
    }

    private static Verdict rejected(
            Finding finding, Statement statement, EditedScript script, SupabaseAliases names, ScriptReading reading) {
        int unit = finding.location() >= 0
                ? new SourceText(script.text()).unitOfByte(finding.location())
                : statement.location();
        return new Verdict.Rejected(
                finding.code(),
                statement.number(),
                Optional.of(new SourceText(script.original()).placeOfUnit(script.originalUnit(unit))),
                names.toAliases(finding.what()),
                names.toAliases(finding.hint()),
                reading.summary());
    }
}
