package svc.sqlgate.mapping;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.script.Replacement;

/** The replacements inside of a constant, or of a bound value, that names a schema or a role. */
final class NameConstant {
    /** Without a character that means something else in a regular expression; the names of projects have none either. */
    private static final Pattern ONE_NAME = Pattern.compile("\\^\\(([a-z_][a-z0-9_]*)\\)\\$");

    private final SupabaseAliases names;

    NameConstant(SupabaseAliases names) {
        this.names = names;
    }

    List<Replacement> edits(NameKind kind, String value) {
        return switch (kind) {
            case QUALIFIED, RELATION -> qualified(kind, value);
            case SCHEMA_IDENTIFIER, ROLE_IDENTIFIER -> identifier(kind, value);
            case SCHEMA_PATTERN, ROLE_PATTERN -> pattern(kind, value);
            case SCHEMA, ROLE ->
                ArrayLiteral.of(value)
                        .map(elements -> elements(kind, elements))
                        .orElseGet(() -> whole(name(kind, value), 0, value.length()));
        };
    }

    /** The names in an array's text; those of projects need no quotes there. */
    private List<Replacement> elements(NameKind kind, List<ArrayLiteral.Element> elements) {
        return elements.stream()
                .flatMap(element -> whole(name(kind, element.value()), element.start(), element.end()).stream())
                .toList();
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

    private List<Replacement> pattern(NameKind kind, String value) {
        Matcher one = ONE_NAME.matcher(value);
        return one.matches() ? whole(name(kind, one.group(1)), one.start(1), one.end(1)) : List.of();
    }

    private Optional<String> name(NameKind kind, String value) {
        return switch (kind) {
            case ROLE, ROLE_IDENTIFIER, ROLE_PATTERN -> names.role(value);
            default -> names.schema(value);
        };
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
