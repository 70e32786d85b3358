package svc.sqlgate.lexical;

import java.util.List;
import java.util.Random;

/** Scripts made of what readers of SQL stumble over. The same seed makes the same scripts. */
final class RandomScripts {
    private static final List<String> FRAGMENTS = List.of(
            "SELECT",
            "select",
            "FROM t",
            "a",
            "B",
            "e",
            "E",
            "n",
            "x",
            "u",
            "U&",
            "é",
            "😀",
            "a$b",
            "_1",
            "\u00a0",
            "\u2003",
            "1",
            "0x1F",
            "0b1",
            "1_0",
            "1.",
            ".5",
            "1.5e3",
            "1e",
            "1..2",
            "0x",
            "1__0",
            "$1",
            "$1a",
            "$12345678901",
            "'a'",
            "'it''s'",
            "''",
            "'\\'",
            "'",
            "E'\\''",
            "e'a\\\\'",
            "E'\\n'",
            "E'\\x41'",
            "E'\\u0041'",
            "E'\\q",
            "E'",
            "B'01'",
            "x'1F'",
            "b'",
            "N'n'",
            "U&'\\0061'",
            "u&'x'",
            "UESCAPE '!'",
            "U&\"q\"",
            "\"q\"",
            "\"a\"\"b\"",
            "\"\"",
            "\"",
            "$$",
            "$$a$$",
            "$a$",
            "$a$;$a$",
            "$é$x$é$",
            "$A$",
            "$",
            "$a",
            "--",
            "-- c",
            "--'",
            "/*",
            "*/",
            "/* c */",
            "/* ' */",
            "/*/**/*/",
            "/*'*/",
            "//",
            "#",
            "`a`",
            ";",
            ";;",
            ",",
            "(",
            ")",
            "[",
            "]",
            "{",
            ".",
            "..",
            ":",
            "::",
            ":=",
            "=>",
            "+",
            "-",
            "*",
            "/",
            "%",
            "^",
            "<",
            ">",
            "=",
            "<=",
            "<>",
            "!=",
            "!",
            "~",
            "@",
            "@>",
            "#>>",
            "&&",
            "|",
            "||",
            "?",
            "?|",
            "|-",
            "@-",
            "+-",
            "\\",
            "\\'",
            "\u0001",
            "\u007f",
            "\ufeff",
            "\ud7ff",
            "\uffff");

    private static final List<String> BLANKS =
            List.of(" ", " ", " ", "", "", "\n", "\r", "\r\n", "\t", "\f", "\u000b", "\n\n\n", " \n ", "\u0085");

    private static final List<String> VALUES = List.of(
            "1",
            "'a'",
            "'it''s'",
            "'\\'",
            "E'\\''",
            "E'\\\\'",
            "'a'\n'b'",
            "E'a'\r\n  '\\''",
            "B'01'",
            "x'1F'",
            "N'n'",
            "U&'d\\0061t'",
            "U&'d!0061t' UESCAPE '!'",
            "$$;'$$",
            "$a$ $$ ; $b$ $a$",
            "$é$;$é$",
            "1.5e3",
            ".5",
            "0x1F",
            "1_000",
            "'a' || 'b;'",
            "2 - -1",
            "2 --c;\n+ 1",
            "2 /*;*/ + 1",
            "(ARRAY[1, 2])[1]",
            "(1)::text",
            "'1'::int",
            "null",
            "true",
            "(SELECT 1)",
            "CASE WHEN true THEN 1 END",
            "@ -1",
            "5 # 3",
            "'😀;'",
            "abs(-1)",
            "1 <> 2",
            "'a' ~ 'b'");

    private static final List<String> NAMES =
            List.of("a", "\"a;b\"", "\"a\"\"b\"", "é", "U&\"d\\0061t\"", "a$1", "\u2003", "\"'\"", "\"--\"", "\"$$\"");

    private static final List<String> GAPS = List.of(
            " ",
            "\n",
            "\r",
            "\t",
            "\f",
            " -- ;\n",
            " --'\r",
            "/*;*/",
            "/*'/*;*/*/",
            " /*--*/ ",
            "\n\n\n",
            " \r\n\r\n\r\n ");

    private static final List<String> ENDS = List.of(";", ";", ";\n", ";;", "; ", ";--;\n", ";/*;*/", "\n\n\n;\n\n\n");

    private final Random random;

    RandomScripts(long seed) {
        this.random = new Random(seed);
    }

    /** Tokens in any order; most are no SQL. */
    String soup() {
        var text = new StringBuilder();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            text.append(any(FRAGMENTS)).append(any(BLANKS));
        }
        return cutSometimes(text.toString(), 4);
    }

    /** Harmless queries that PostgreSQL runs; one in five is cut off somewhere. */
    String queries() {
        var text = new StringBuilder();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            text.append("SELECT").append(any(GAPS)).append(any(VALUES)).append(any(GAPS));
            text.append("AS ").append(any(NAMES)).append(any(GAPS)).append(any(ENDS));
        }
        return cutSometimes(text.toString(), 5);
    }

    private String cutSometimes(String text, int oneIn) {
        if (random.nextInt(oneIn) > 0) {
            return text;
        }
        int end = random.nextInt(text.length() + 1);
        // Not inside of a character: such a text is refused before it is parsed.
        return text.substring(0, end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }

    private String any(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
