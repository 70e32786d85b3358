package svc.sqlgate.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.read.DeclaredType;

/** Which types a body declares. A type between ‹ and › is one that the parser may not know. */
class DeclarationsTest {
    static final String[] BODIES = {
        "declare a ‹mood›; b ‹public.mood›[]; c ‹t.a%type› not null := 'x'; d constant ‹public.t%rowtype›; begin end",
        "declare a int; b numeric(10, 2)[]; c timestamp with time zone; d double precision; e json; f refcursor; begin end",
        "<<outer>> declare a ‹text› := 'declare x y;'; begin declare b ‹mood›; begin null; end; end outer",
        "#variable_conflict use_column\ndeclare a ‹t›; begin end",
        "#option dump #print_strict_params on declare declare a ‹t›; declare b ‹u›; begin end",
        "declare a alias for $1; c cursor for select d t; e no scroll cursor (f ‹mood›, g int) for select 1; h ‹\"T\"›; begin end",
        "declare a ‹geometry(Point, 4326)› := st(1, 2); b ‹\"Weird \"\" Type\"›[3]; c ‹citext› collate \"C\"; begin end",
        "declare a int := (select declare from t); b int = x[1; 2]; c ‹d›; begin select declare into x; end",
        "begin if a then declare b ‹t›; begin end; else declare b ‹u›; begin end; end if; loop declare c ‹v›; begin end; end loop; end",
        "declare a ‹time%type›; time ‹x›; b ‹ public . /* ; */ t % -- ;\n rowtype›; begin end",
        "begin perform declare; select x declare from t; end",
        "declare a -- nothing",
        "declare",
        "'open",
    };

    @ParameterizedTest
    @FieldSource("BODIES")
    void findsTypes(String marked) {
        String body = marked.replaceAll("[‹›]", "");
        var expected = Pattern.compile("‹([^›]*)›")
                .matcher(marked)
                .results()
                .map(found -> found.group(1).strip())
                .toList();
        assertThat(Declarations.of(Tokens.of(body)).unknown())
                .extracting(span -> body.substring(span.start(), span.end()))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void findsNamesAndTheirParts() {
        Declarations found = Declarations.of(Tokens.of(
                "declare A public.t.c%TYPE; \"B\" constant Auth.users; c cursor (d mood) for select 1; e alias for a; begin"
                        + " declare a int; f public.refcursor; begin end; end"));
        assertThat(found.variables()).extracting(Token::value).containsExactly("a", "B", "c", "e", "a", "f");
        assertThat(found.types())
                .containsExactly(
                        new DeclaredType(List.of("public", "t", "c"), true),
                        new DeclaredType(List.of("auth", "users"), false),
                        new DeclaredType(List.of("mood"), false),
                        new DeclaredType(List.of("public", "refcursor"), false));
    }
}
