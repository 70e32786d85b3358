package svc.sqlgate;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.database.name.ProjectNames;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.lexical.ConsensusParser;
import svc.sqlgate.lexical.ScriptParts;
import svc.sqlgate.lexical.ScriptParts.Part;
import svc.sqlgate.mapping.BoundNames;
import svc.sqlgate.mapping.CatalogReads;
import svc.sqlgate.mapping.NameMapping;
import svc.sqlgate.mapping.OwnFunctions;
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
    public static final int MAX_BYTES = 2 << 20;

    /** Heap for each byte of a long script while its tokens are found, of which each byte may be one. */
    private static final int CUTTING = 24;

    /** Heap for each byte of a long script until its verdict: its parts, and what is changed in them. */
    private static final int KEPT = 6;

    private static final String LONG_HINT =
            "Split it: an INSERT into several statements, a body into several functions. Rows are loaded with the REST API, too.";

    private static final String UNREADABLE_HINT = "Nothing was run. Correct the SQL and send the whole script again.";
    private static final String SPLIT_HINT = "Send it in several calls.";
    private static final String ENDLESS = "a string, a name in quotes or a comment in it does not end";

    private final SqlReader reader;
    private final ConsensusParser agreed;

    @Inject
    public ScriptGate(SqlReader reader) {
        this.reader = reader;
        this.agreed = new ConsensusParser(reader);
    }

    /** For a project of no organisation but its own. */
    public Verdict judge(String sql, ProjectNames project) {
        return judge(sql, project, alone(project));
    }

    /** The same for an adopted database. */
    public Verdict judgeAdopted(String sql, ProjectNames project) {
        return judgeAdopted(sql, project, alone(project));
    }

    private static Caller alone(ProjectNames project) {
        return new Caller(project.schemaName(), project.schemaName());
    }

    /**
     * Takes a few milliseconds for an ordinary migration, and never longer than a few deadlines of the sandbox.
     *
     * @param caller whose turn and whose memory the reading takes
     */
    public Verdict judge(String sql, ProjectNames project, Caller caller) {
        return judge(sql, project, OwnFunctions.NONE, caller, Set.of());
    }

    /**
     * The same for a project that has functions called like an extension's, and for a client of PostgreSQL's protocol.
     *
     * @param own their names
     * @param open what is allowed beside the statements of every script
     */
    public Verdict judge(String sql, ProjectNames project, OwnFunctions own, Caller caller, Set<ClientStatement> open) {
        return judge(
                sql,
                caller,
                new Rules(SupabaseAliases.of(project, own), new Translator(project), new GateScope(project), open));
    }

    /** The same for an adopted database: its names are real, so none is replaced and no statement is translated. */
    public Verdict judgeAdopted(String sql, ProjectNames project, Caller caller) {
        return judgeAdopted(sql, project, caller, Set.of());
    }

    /** The same for an adopted database. */
    public Verdict judgeAdopted(String sql, ProjectNames project, Caller caller, Set<ClientStatement> open) {
        return judge(
                sql, caller, new Rules(SupabaseAliases.none(), Translator.none(project), GateScope.adopted(), open));
    }

    /** What a script is judged by. */
    private record Rules(SupabaseAliases names, Translator translator, GateScope scope, Set<ClientStatement> open) {}

    private Verdict judge(String sql, Caller caller, Rules rules) {
        int bytes = sql.length() > MAX_BYTES ? sql.length() : sql.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return new Verdict.Rejected(
                    ProblemCode.SQL_TOO_LARGE,
                    0,
                    Optional.empty(),
                    "a script of more than " + MAX_BYTES + " bytes",
                    SPLIT_HINT,
                    ScriptSummary.NONE);
        }
        return bytes <= ScriptParts.MAX_BYTES
                ? judge(sql, caller, rules, new ScriptCourse(1))
                : judgeLong(sql, bytes, caller, rules);
    }

    private Verdict judgeLong(String sql, int bytes, Caller caller, Rules rules) {
        try (SqlReading room = reader.begin(caller)) {
            Optional<RefusedReason> refused = room.take((long) CUTTING * bytes);
            if (refused.isPresent()) {
                return withoutMemory(refused.get());
            }
            List<Part> parts = ScriptParts.of(sql);
            room.giveBack((long) (CUTTING - KEPT) * bytes);
            return judge(sql, parts, caller, rules, new ScriptCourse(parts.size()));
        }
    }

    private static Verdict withoutMemory(RefusedReason reason) {
        return reason.passing()
                ? new Verdict.Unknown(reason.words())
                : new Verdict.Rejected(
                        ProblemCode.SQL_TOO_LARGE, 0, Optional.empty(), reason.words(), SPLIT_HINT, ScriptSummary.NONE);
    }

    /** Each part takes a parser, its memory and a turn by itself; what they hold is given back before the next. */
    private Verdict judge(String sql, List<Part> parts, Caller caller, Rules rules, ScriptCourse course) {
        var joined = new JoinedVerdict(sql, rules.names());
        for (Part part : parts) {
            if (part.bytes() > ScriptParts.MAX_BYTES) {
                return joined.rejected(
                        ProblemCode.SQL_TOO_LARGE,
                        Optional.of(part),
                        "a statement of more than " + ScriptParts.MAX_BYTES + " bytes",
                        LONG_HINT);
            }
            Verdict verdict = judge(part.text(), caller, rules, course);
            if (!(verdict instanceof Verdict.Admitted admitted)) {
                return joined.stopped(part, verdict);
            }
            joined.add(part, admitted);
        }
        if (parts.isEmpty()) {
            return joined.rejected(ProblemCode.SQL_UNPARSEABLE, Optional.empty(), ENDLESS, UNREADABLE_HINT);
        }
        if (course.isOpen()) {
            Finding half = ForbiddenStatements.of("TransactionStmt");
            return joined.rejected(half.code(), Optional.empty(), half.what(), half.hint());
        }
        try {
            return joined.admitted();
        } catch (OverlappingEditsException e) {
            throw new IllegalStateException("parts of a script do not overlap", e);
        }
    }

    private Verdict judge(String part, Caller caller, Rules rules, ScriptCourse course) {
        try (SqlReading sandbox = reader.begin(caller)) {
            return judge(part, new ScriptReading(part, sandbox, agreed), rules, course);
        }
    }

    private static Verdict judge(String sql, ScriptReading reading, Rules rules, ScriptCourse course) {
        Mapped mapped;
        try {
            mapped = Mapped.of(sql, reading, rules.names());
        } catch (UnreadableException e) {
            return unreadable(e, EditedScript.unchanged(sql), reading);
        } catch (OverlappingEditsException e) {
            return differing(reading);
        }
        List<ReadStatement> sent;
        try {
            // The text that is sent is judged, not an intermediate one.
            sent = reading.sent(mapped.script());
        } catch (UnreadableException e) {
            return unreadable(e, mapped.script(), reading);
        }
        return mapped.starts().size() == sent.size()
                ? judge(reading, new Sent(mapped, sent), rules, course)
                : differing(reading);
    }

    /**
     * A script with the project's names, and without the trees of what its caller wrote.
     *
     * @param starts of the statements in the caller's text
     */
    private record Mapped(EditedScript script, List<Integer> starts, BoundNames bound) {
        static Mapped of(String sql, ScriptReading reading, SupabaseAliases names)
                throws UnreadableException, OverlappingEditsException {
            ScriptReading.Written written = reading.written();
            NameMapping.Mapped found = new NameMapping(names).map(sql, reading.tokens(), written.statements());
            return new Mapped(
                    EditedScript.of(sql, found.edits()),
                    written.parsed().statements().stream()
                            .map(Statement::location)
                            .toList(),
                    found.bound());
        }
    }

    /** @param statements as they are read in the text that is sent */
    private record Sent(Mapped mapped, List<ReadStatement> statements) {}

    private static Verdict judge(ScriptReading reading, Sent sent, Rules rules, ScriptCourse course) {
        EditedScript script = sent.mapped().script();
        List<ReadStatement> statements = sent.statements();
        var gate = new SqlGate(rules.scope(), rules.translator(), rules.open(), statements, course);
        TakenRoles roles = course.roles(statements);
        var translation = new ScriptTranslation(rules.translator(), roles);
        for (ReadStatement read : statements) {
            if (gate.isTransactionPart(read)) {
                translation.leaveOut(read.statement());
                continue;
            }
            Optional<Finding> finding = gate.judge(read).or(() -> translation.add(read));
            if (finding.isPresent()) {
                return rejected(finding.get(), read.statement(), script, rules.names(), reading);
            }
        }
        boolean outside = course.alone(statements)
                && OutsideTransaction.name(statements.getFirst().statement()).isPresent();
        try {
            return new Verdict.Admitted(
                    script.changed(translation.edits()),
                    sent.mapped().starts(),
                    reading.summary(),
                    rules.names(),
                    sent.mapped().bound(),
                    outside ? ExecutionMode.OUTSIDE_TRANSACTION : ExecutionMode.IN_TRANSACTION,
                    rules.scope()
                            .authSchema()
                            .filter(auth -> AuthTables.neededBy(statements, auth))
                            .isPresent(),
                    translation.tags(),
                    roles.any(),
                    CatalogReads.among(statements.stream().map(ReadStatement::statement)));
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
        boolean large = e.reason().filter(RefusedReason::ofSize).isPresent();
        ProblemCode code = large ? ProblemCode.SQL_TOO_LARGE : ProblemCode.SQL_UNPARSEABLE;
        String hint = large ? SPLIT_HINT : UNREADABLE_HINT;
        Optional<SourceText.Place> place =
                e.position() > 0 ? Optional.of(script.placeOf(e.position())) : Optional.empty();
        return new Verdict.Rejected(code, e.statement(), place, e.getMessage(), hint, reading.summary());
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
