package svc.sqlgate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.lexical.ScriptParts.Part;
import svc.sqlgate.mapping.BoundNames;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.script.EditedScript;
import svc.sqlgate.script.OverlappingEditsException;
import svc.sqlgate.script.Replacement;

/** The verdict on a long script, of those on its parts: places and numbers are those of the whole. */
final class JoinedVerdict {
    /** Of a fingerprint, in bytes. */
    private static final int FINGERPRINT = 8;

    private static final int MAX_OF_A_KIND = 1000;

    private final String script;
    private final SupabaseAliases names;
    private final List<Replacement> edits = new ArrayList<>();
    private final List<Integer> starts = new ArrayList<>();
    private final List<String> kinds = new ArrayList<>();
    private final Map<String, Integer> counted = new HashMap<>();
    private final List<String> fingerprints = new ArrayList<>();
    private final Map<Integer, String> tags = new HashMap<>();
    private final Set<Integer> ofCatalog = new HashSet<>();
    private boolean authTables;
    private boolean takesRole;

    JoinedVerdict(String script, SupabaseAliases names) {
        this.script = script;
        this.names = names;
    }

    void add(Part part, Verdict.Admitted admitted) {
        int before = starts.size();
        admitted.script().edits().stream()
                .map(edit -> new Replacement(part.start() + edit.start(), part.start() + edit.end(), edit.text()))
                .forEach(edits::add);
        admitted.starts().forEach(start -> starts.add(part.start() + start));
        admitted.tags().forEach((number, tag) -> tags.put(before + number, tag));
        admitted.ofCatalog().forEach(number -> ofCatalog.add(before + number));
        add(admitted.summary());
        authTables |= admitted.authTables();
        takesRole |= admitted.takesRole();
    }

    /** The audit keeps the kinds of every call: of each kind no more than a short script can have. */
    private void add(ScriptSummary summary) {
        for (String kind : summary.kinds()) {
            if (counted.merge(kind, 1, Integer::sum) <= MAX_OF_A_KIND) {
                kinds.add(kind);
            }
        }
        summary.fingerprint().ifPresent(fingerprints::add);
    }

    /** The verdict on a part that was not admitted, about the whole script. */
    Verdict stopped(Part part, Verdict verdict) {
        if (!(verdict instanceof Verdict.Rejected rejected)) {
            return verdict;
        }
        int before = starts.size();
        Optional<SourceText.Place> place = rejected.place()
                .map(found -> new SourceText(part.text()).unitOfPosition(found.position()))
                .map(unit -> new SourceText(script).placeOfUnit(part.start() + unit));
        add(rejected.summary());
        return new Verdict.Rejected(
                rejected.code(),
                rejected.statement() == 0 ? 0 : before + rejected.statement(),
                place,
                rejected.what(),
                rejected.hint(),
                summary());
    }

    /** The script is refused because of something in a part, or behind all of them. */
    Verdict rejected(ProblemCode code, Optional<Part> part, String what, String hint) {
        return new Verdict.Rejected(
                code,
                part.isPresent() ? starts.size() + 1 : 0,
                part.map(found -> new SourceText(script).placeOfUnit(found.start())),
                what,
                hint,
                summary());
    }

    /** @throws OverlappingEditsException never, for parts that do not overlap */
    Verdict.Admitted admitted() throws OverlappingEditsException {
        return new Verdict.Admitted(
                EditedScript.of(script, edits),
                starts,
                summary(),
                names,
                BoundNames.NONE,
                ExecutionMode.IN_TRANSACTION,
                authTables,
                tags,
                takesRole,
                ofCatalog);
    }

    private ScriptSummary summary() {
        return new ScriptSummary(kinds, fingerprints.isEmpty() ? Optional.empty() : Optional.of(fingerprint()));
    }

    /** In the form of that of a script which is read at once; the same for the same parts. */
    private String fingerprint() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("", fingerprints).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash, 0, FINGERPRINT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
