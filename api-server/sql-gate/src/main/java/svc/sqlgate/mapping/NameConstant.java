package svc.sqlgate.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.database.sql.Identifier;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.script.Replacement;

/** The replacements inside of a constant that names a schema or a role. */
final class NameConstant {
    private static final Pattern PLAIN_ARRAY = Pattern.compile("\\s*\\{[^{}\"\\\\]*}\\s*");
    private static final Pattern ELEMENT = Pattern.compile("[^{},\\s]+");

    private final SupabaseAliases names;

    NameConstant(SupabaseAliases names) {
        this.names = names;
    }

    List<Replacement> edits(NameKind kind, String value) {
        return switch (kind) {
            case QUALIFIED, RELATION -> qualified(kind, value);
            case SCHEMA_IDENTIFIER, ROLE_IDENTIFIER -> identifier(kind, value);
            case SCHEMA, ROLE ->
                PLAIN_ARRAY.matcher(value).matches()
                        ? elements(kind, value)
                        : whole(name(kind, value), 0, value.length());
        };
    }

    /** The name itself, or the same name in an array's text. */
    private List<Replacement> elements(NameKind kind, String value) {
        List<Replacement> edits = new ArrayList<>();
        Matcher element = ELEMENT.matcher(value);
        while (element.find()) {
            edits.addAll(whole(name(kind, element.group()), element.start(), element.end()));
        }
        return edits;
    }

    private List<Replacement> qualified(NameKind kind, String value) {
        Tokens tokens = Tokens.of(value);
        List<Replacement> edits = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isQualifier(i)) {
                String schema = tokens.get(i).value();
                String object = tokens.get(i + 2).value();
                edits.addAll(token(
                        kind == NameKind.RELATION
                                ? names.schemaOfRelation(schema, object)
                                : names.schemaOfObject(schema, object),
                        tokens.get(i)));
            }
        }
        return edits;
    }

    private List<Replacement> identifier(NameKind kind, String value) {
        Tokens tokens = Tokens.of(value);
        if (tokens.size() != 1 || !tokens.get(0).isName()) {
            return List.of();
        }
        Token token = tokens.get(0);
        return token(name(kind, token.value()), token);
    }

    private Optional<String> name(NameKind kind, String value) {
        return kind == NameKind.ROLE || kind == NameKind.ROLE_IDENTIFIER ? names.role(value) : names.schema(value);
    }

    private static List<Replacement> token(Optional<String> replacement, Token token) {
        return replacement.map(name -> List.of(inPlaceOf(token, name))).orElse(List.of());
    }

    private static List<Replacement> whole(Optional<String> replacement, int start, int end) {
        return replacement
                .map(name -> List.of(new Replacement(start, end, name)))
                .orElse(List.of());
    }

    /** The names of projects need no quotes; a token in quotes gets them, because it may stand right behind a word. */
    static Replacement inPlaceOf(Token token, String name) {
        return new Replacement(
                token.start(),
                token.end(),
                token.kind() == Token.Kind.WORD ? name : Identifier.of(name).sql());
    }
}
