package svc.sqlgate.mapping;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import svc.sqlgate.block.Declarations;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.script.Replacement;

/**
 * Replacements in a PL/pgSQL block. Its parser gives the SQL inside of it as texts without places: each is looked for
 * among the block's tokens, the longest first, so that a short one is not found inside of a long one. What belongs to no
 * text is PL/pgSQL's own, where types are declared.
 */
final class BlockNames {
    /** Comparisons of tokens. More than an honest block needs; beyond it names stay as they are, and are refused. */
    private static final int BUDGET = 5_000_000;

    /** Words before a variable, where a type could not stand. */
    private static final Set<String> BEFORE_VARIABLES = Set.of(
            "into", "strict", "for", "foreach", "diagnostics", "from", "in", "fetch", "move", "open", "close", "slice");

    private final SupabaseAliases names;
    private final Tokens tokens;
    private final List<BlockText> texts = new ArrayList<>();
    private final Map<String, List<Integer>> starts = new HashMap<>();
    private final BitSet claimed = new BitSet();
    private final TreeMap<Integer, Replacement> edits = new TreeMap<>();
    private int budget = BUDGET;

    BlockNames(SupabaseAliases names, Tokens tokens) {
        this.names = names;
        this.tokens = tokens;
    }

    /** @param edits the replacements in one of the block's texts */
    void add(InnerText text, List<Replacement> edits) {
        texts.add(BlockText.of(text, edits));
    }

    Collection<Replacement> finish() {
        if (texts.stream().anyMatch(text -> !text.edits().isEmpty())) {
            for (int i = 0; i < tokens.size(); i++) {
                starts.computeIfAbsent(tokens.get(i).value(), any -> new ArrayList<>())
                        .add(i);
            }
            texts.sort(Comparator.comparingInt(BlockText::length).reversed());
            texts.forEach(this::place);
        }
        declaredTypes();
        return edits.values();
    }

    private void place(BlockText text) {
        if (text.length() <= 0) {
            return;
        }
        for (String word : text.firstWords()) {
            for (int start : starts.getOrDefault(word, List.of())) {
                if (budget-- <= 0) {
                    return;
                }
                Optional<int[]> places = claimed.get(start) ? Optional.empty() : match(text, start);
                if (places.isPresent()) {
                    claim(text, start, places.get());
                    return;
                }
            }
        }
    }

    private Optional<int[]> match(BlockText text, int start) {
        if (text.executed() && !tokens.isWord(start - 1, "execute")) {
            return Optional.empty();
        }
        int[] places = new int[text.length()];
        int at = start;
        for (int i = 0; i < text.length(); i++) {
            budget--;
            if (at < tokens.size() && text.skipsInto(i, tokens.get(at))) {
                at = afterInto(at);
            }
            if (text.assigns(i) && tokens.isSymbol(at, ':')) {
                at++;
            }
            if (at >= tokens.size() || claimed.get(at) || !text.reads(i, tokens.get(at), at == start)) {
                return Optional.empty();
            }
            places[i] = at++;
        }
        return Optional.of(places);
    }

    /** Behind INTO and the variables that it names. */
    private int afterInto(int into) {
        int at = tokens.isWord(into + 1, "strict") ? into + 2 : into + 1;
        while (tokens.isSymbol(at + 1, '.') || tokens.isSymbol(at + 1, ',')) {
            at += 2;
        }
        return at + 1;
    }

    private void claim(BlockText text, int start, int[] places) {
        claimed.set(start, places[places.length - 1] + 1);
        for (Replacement edit : text.edits()) {
            int index = text.tokenOf(edit);
            if (index >= 0) {
                int shift =
                        tokens.get(places[index]).start() - text.token(index).start();
                put(new Replacement(edit.start() + shift, edit.end() + shift, edit.text()));
            }
        }
    }

    /** {@code name public.mood}, {@code name CONSTANT public.t%ROWTYPE}, {@code name auth.users.id%TYPE}. */
    private void declaredTypes() {
        Declarations declarations = Declarations.of(tokens);
        for (int i = 1; i < tokens.size(); i++) {
            Token before = tokens.get(i - 1);
            boolean behindName = before.isName() && !BEFORE_VARIABLES.contains(before.value());
            boolean declared = declarations.isType(i);
            if (claimed.get(i) || !tokens.isQualifier(i) || !behindName && !declared) {
                continue;
            }
            Token qualifier = tokens.get(i);
            boolean columnOfTable = tokens.isSymbol(i + 3, '%') && tokens.isWord(i + 4, "type");
            if (!columnOfTable) {
                // A row is that of a table, which no extension brings.
                Optional<String> real = declared && !tokens.isSymbol(i + 3, '%')
                        ? names.schemaOfType(
                                qualifier.value(), tokens.get(i + 2).value())
                        : declared ? names.schema(qualifier.value()) : names.ofEveryProject(qualifier.value());
                real.ifPresent(name -> put(NameConstant.inPlaceOf(qualifier, name)));
            }
        }
    }

    private void put(Replacement edit) {
        edits.putIfAbsent(edit.start(), edit);
    }
}
