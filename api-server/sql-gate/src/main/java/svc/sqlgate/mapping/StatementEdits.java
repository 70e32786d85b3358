package svc.sqlgate.mapping;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import svc.sqlgate.lexical.QuotedText;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.script.Replacement;

/**
 * Finds the tokens of the names that a statement's tree has. Where the tree says at which byte a name begins, that is
 * the token; the grammar leaves that out for many names, which are then the first in the statement that read the same
 * and that nothing else has claimed. A name that is not found is left as it is: the second reading refuses it.
 */
final class StatementEdits {
    private final Tokens tokens;
    private final SourceText source;
    private final int first;
    private final int end;
    private final Set<Integer> claimed = new HashSet<>();
    private final List<Qualified> unlocated = new ArrayList<>();
    private final List<Qualified> schemaWords = new ArrayList<>();
    private final TreeMap<Integer, Replacement> edits = new TreeMap<>();
    private final ParameterUses parameters = new ParameterUses();

    /** A qualifier, the name behind it, and what the qualifier becomes. */
    private record Qualified(String qualifier, String member, String replacement) {}

    /**
     * @param first index of the statement's first token
     * @param end index behind its last token
     */
    StatementEdits(Tokens tokens, SourceText source, int first, int end) {
        this.tokens = tokens;
        this.source = source;
        this.first = first;
        this.end = end;
    }

    Tokens tokens() {
        return tokens;
    }

    /** The places of bound values that were found in the statement's own tree. */
    ParameterUses parameters() {
        return parameters;
    }

    /**
     * A qualified name.
     *
     * @param location byte at which the tree says it begins; negative when it does not say
     * @param replacement empty when the qualifier stays as it is
     */
    void qualified(int location, String qualifier, String member, Optional<String> replacement) {
        int index = at(location);
        if (index >= 0 && tokens.isQualifier(index) && tokens.get(index).value().equals(qualifier)) {
            claimed.add(index);
            replacement.ifPresent(name -> replace(index, name));
        } else if (replacement.isPresent()) {
            unlocated.add(new Qualified(qualifier, member, replacement.get()));
        }
    }

    /** A schema that is named by itself, behind the word SCHEMA. */
    void schema(String name, Optional<String> replacement) {
        replacement.ifPresent(real -> schemaWords.add(new Qualified(name, "", real)));
    }

    /** An identifier by itself at a known place. */
    void identifier(int location, String name, String replacement) {
        int index = at(location);
        if (index >= 0
                && tokens.get(index).isName()
                && tokens.get(index).value().equals(name)) {
            replace(index, replacement);
        }
    }

    /** Replacements inside of a string constant, in units of its value. */
    void constant(int location, String value, List<Replacement> inValue) {
        int index = at(location);
        if (!inValue.isEmpty() && tokens.isString(index)) {
            inString(index, value, inValue).forEach(this::put);
        }
    }

    /** Replacements inside of a string constant as replacements in the text; none when it does not say what it should. */
    List<Replacement> inString(int index, String value, Collection<Replacement> inValue) {
        Token token = tokens.get(index);
        QuotedText quoted = QuotedText.of(tokens.raw(index));
        if (!quoted.value().equals(value)) {
            return List.of();
        }
        return inValue.stream()
                .map(quoted::edit)
                .map(edit -> new Replacement(token.start() + edit.start(), token.start() + edit.end(), edit.text()))
                .toList();
    }

    /** The index of the token at a byte of the text; negative when there is none in this statement. */
    int at(int location) {
        int index = location < 0 ? -1 : tokens.startingAt(source.unitOfByte(location));
        return index >= first && index < end ? index : -1;
    }

    void put(Replacement edit) {
        edits.putIfAbsent(edit.start(), edit);
    }

    Collection<Replacement> finish() {
        unlocated.forEach(this::findQualified);
        if (!schemaWords.isEmpty()) {
            findSchemaWords();
        }
        return edits.values();
    }

    private void replace(int index, String name) {
        put(NameConstant.inPlaceOf(tokens.get(index), name));
    }

    private void findQualified(Qualified wanted) {
        for (int i = first; i < end; i++) {
            if (tokens.isQualifier(i)
                    && !claimed.contains(i)
                    && tokens.get(i).value().equals(wanted.qualifier())
                    && begins(i + 2, wanted.member())) {
                claimed.add(i);
                replace(i, wanted.replacement());
                return;
            }
        }
    }

    /** An operator is cut into characters, a name is one token. */
    private boolean begins(int index, String member) {
        Token token = tokens.get(index);
        return token.isName() ? token.value().equals(member) : member.startsWith(token.value());
    }

    /** {@code SCHEMA a, b} and {@code SCHEMA IF NOT EXISTS a}. */
    private void findSchemaWords() {
        for (int i = first; i < end; i++) {
            if (!tokens.isWord(i, "schema")) {
                continue;
            }
            int name = i + 1;
            while (tokens.isWord(name, "if") || tokens.isWord(name, "not") || tokens.isWord(name, "exists")) {
                name++;
            }
            for (; name < end && tokens.get(name).isName(); name += 2) {
                schemaWord(name);
                if (!tokens.isSymbol(name + 1, ',')) {
                    break;
                }
            }
        }
    }

    private void schemaWord(int index) {
        for (Qualified wanted : schemaWords) {
            if (tokens.get(index).value().equals(wanted.qualifier())) {
                schemaWords.remove(wanted);
                replace(index, wanted.replacement());
                return;
            }
        }
    }
}
