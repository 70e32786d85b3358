package svc.sqlgate.lexical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.sqlgate.parser.TokenBounds;

/** PostgreSQL's lexical rules, one by one. */
class TokenScannerTest {
    record Row(String sql, List<String> tokens) {}

    private static Row row(String sql, String... tokens) {
        return new Row(sql, List.of(tokens));
    }

    static final List<Row> ROWS = List.of(
            row(""),
            row("SELECT 1;", "SELECT", "1", ";"),
            row("'a''b' 'c\\'", "'a''b'", "'c\\'"),
            row("E'\\'' e'\\\\' E'a''\\''", "E'\\''", "e'\\\\'", "E'a''\\''"),
            row("'a'\n'b'\r \t'c' 'd'", "'a'\n'b'\r \t'c'", "'d'"),
            row("'a' -- c\n 'b'", "'a' -- c\n 'b'"),
            row("'a'\n-- c\n 'b'", "'a'\n-- c\n 'b'"),
            row("'a' -- c\n, 'b'", "'a'", "-- c", ",", "'b'"),
            row("'a' -- c", "'a'", "-- c"),
            row("'a' /* c */\n 'b'", "'a'", "/* c */", "'b'"),
            row("E'a'\n'\\''", "E'a'\n'\\''"),
            row("'a'\n'\\'", "'a'\n'\\'"),
            row("b'0''1' X'1f'\n'2' n'x'", "b'0'", "'1'", "X'1f'\n'2'", "n", "'x'"),
            row("U&'\\' U&\"a\"\"b\" u&'a'\n'b' UESCAPE '!'", "U&'\\'", "U&\"a\"\"b\"", "u&'a'\n'b'", "UESCAPE", "'!'"),
            row("U & 'a' u&a", "U", "&", "'a'", "u", "&", "a"),
            row("\"a;'\"\"--\" x", "\"a;'\"\"--\"", "x"),
            row("$$;'$$ $a$ $b$ $$ $a$", "$$;'$$", "$a$ $b$ $$ $a$"),
            row("$é$ $É$ $é$", "$é$ $É$ $é$"),
            row("$a$$a$ $a$a$a$ $_1$x$_1$", "$a$$a$", "$a$a$a$", "$_1$x$_1$"),
            row("a$$b$$ $1 x$1", "a$$b$$", "$1", "x$1"),
            row("$1$$;$$", "$1", "$$;$$"),
            row("$ $a +$x", "$", "$", "a", "+", "$", "x"),
            row("/* a /* b */ c **/ x", "/* a /* b */ c **/", "x"),
            row("/*/ */ y", "/*/ */", "y"),
            row("-- a\rb -- c", "-- a", "b", "-- c"),
            row("a\u00a0b c\u2003d e\u000bf", "a\u00a0b", "c\u2003d", "e", "f"),
            row("é€😀_1$", "é€😀_1$"),
            row("1 1.5 .5 1. 1e5 1.5E-3 1.e5", "1", "1.5", ".5", "1.", "1e5", "1.5E-3", "1.e5"),
            row("1_000 1_0.5_5 0x1F 0X_ff 0o17 0b_1", "1_000", "1_0.5_5", "0x1F", "0X_ff", "0o17", "0b_1"),
            row("1..10 1.5.5 ..1 0x1F.5 1$", "1", "..", "10", "1.5", ".5", "..", "1", "0x1F", ".5", "1", "$"),
            row("a=-1 a*-1 a@-1", "a", "=", "-", "1", "a", "*", "-", "1", "a", "@-", "1"),
            row("a<=-+1", "a", "<=", "-", "+", "1"),
            row("a||-1 a|-b", "a", "||-", "1", "a", "|-", "b"),
            row("a<--b\n+/*c*/- */ -", "a", "<", "--b", "+", "/*c*/", "-", "*/", "-"),
            row("a::b := c=>d <> != ... :x", "a", "::", "b", ":=", "c", "=>", "d", "<>", "!=", "..", ".", ":", "x"),
            row("{ } \\ \u0001", "{", "}", "\\", "\u0001"));

    @ParameterizedTest
    @FieldSource("ROWS")
    void findsTheTokens(Row row) throws LexicalFault {
        assertThat(tokens(row.sql())).isEqualTo(row.tokens());
    }

    /** Each with the byte where the broken token begins. */
    record Broken(String sql, int offset) {}

    static final List<Broken> BROKEN = List.of(
            new Broken("ä 'a''", 3),
            new Broken("E'a\\'", 0),
            new Broken("E'a\\", 0),
            new Broken("'a'\n'b", 0),
            new Broken("1 \"a", 2),
            new Broken("\"\"", 0),
            new Broken("U&\"\"", 0),
            new Broken("$$ $ $a$", 0),
            new Broken("$a$ $A$", 0),
            new Broken("$a$ $a", 0),
            new Broken("1 /* /* */", 2),
            new Broken("/*/", 0),
            new Broken("1a", 0),
            new Broken("1e", 0),
            new Broken("1e+", 0),
            new Broken("1_", 0),
            new Broken("1__0", 0),
            new Broken("1_0$", 0),
            new Broken("0x1F$", 0),
            new Broken("1._5", 0),
            new Broken("1e5$a", 0),
            new Broken("0x", 0),
            new Broken("0xg", 0),
            new Broken("0b12", 0),
            new Broken("0o8", 0),
            new Broken("1.5é", 0),
            new Broken("$1a", 0),
            new Broken("~".repeat(64), 0));

    @ParameterizedTest
    @FieldSource("BROKEN")
    void refusesWhatIsNoToken(Broken broken) {
        assertThatThrownBy(() -> tokens(broken.sql()))
                .isInstanceOfSatisfying(
                        LexicalFault.class, fault -> assertThat(fault.offset()).isEqualTo(broken.offset()));
    }

    private static List<String> tokens(String sql) throws LexicalFault {
        byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
        TokenBounds bounds = TokenScanner.scan(utf8);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < bounds.count(); i++) {
            found.add(new String(utf8, bounds.start(i), bounds.end(i) - bounds.start(i), StandardCharsets.UTF_8));
        }
        return found;
    }
}
