package svc.rest.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.rest.ReadFixture;

/** Parse errors have PostgREST's message and position. */
class ParseErrorTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            todo?select=id, | "failed to parse select parameter (id,)" (line 1, column 4) | unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"
            todo?select=id( | "failed to parse select parameter (id()" (line 1, column 4) | unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*", "count()" or ")"
            todo?select=a: | "failed to parse select parameter (a:)" (line 1, column 3) | unexpected end of input expecting ":" or field name (* or [a..z0..9_$])
            todo?select=a:: | "failed to parse select parameter (a::)" (line 1, column 4) | unexpected end of input expecting letter or digit
            todo?select=a.b | "failed to parse select parameter (a.b)" (line 1, column 3) | unexpected "b" expecting "sum", "avg", "count", "max" or "min"
            todo?select=a.sum | "failed to parse select parameter (a.sum)" (line 1, column 6) | unexpected end of input expecting "()"
            todo?select=a.sum( | "failed to parse select parameter (a.sum()" (line 1, column 6) | unexpected end of input expecting "()"
            todo?select=a.foo() | "failed to parse select parameter (a.foo())" (line 1, column 3) | unexpected "f" expecting "sum", "avg", "count", "max" or "min"
            todo?select=a-> | "failed to parse select parameter (a->)" (line 1, column 4) | unexpected end of input expecting "-", digit or any non reserved character different from: .,>()
            todo?select=a->> | "failed to parse select parameter (a->>)" (line 1, column 5) | unexpected end of input expecting "-", digit or any non reserved character different from: .,>()
            todo?select=a->-x | "failed to parse select parameter (a->-x)" (line 1, column 5) | unexpected "x" expecting digit
            todo?select=rel!(id) | "failed to parse select parameter (rel!(id))" (line 1, column 4) | unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input
            todo?select=rel!inner | "failed to parse select parameter (rel!inner)" (line 1, column 4) | unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input
            todo?select="a | "failed to parse select parameter ("a)" (line 1, column 3) | unexpected end of input expecting "\\\\" or "\\""
            todo?select=*,a(* | "failed to parse select parameter (*,a(*)" (line 1, column 6) | unexpected end of input expecting ")", "," or end of input
            todo?select=a@b | "failed to parse select parameter (a@b)" (line 1, column 2) | unexpected '@' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input
            todo?select=a!b | "failed to parse select parameter (a!b)" (line 1, column 2) | unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input
            todo?select=x:* | "failed to parse select parameter (x:*)" (line 1, column 3) | unexpected "*" expecting ":" or field name (* or [a..z0..9_$])
            todo?id=1 | "failed to parse filter (1)" (line 1, column 1) | unexpected "1" expecting "not" or operator (eq, gt, ...)
            todo?id=foo.1 | "failed to parse filter (foo.1)" (line 1, column 1) | unexpected "f" expecting "not" or operator (eq, gt, ...)
            todo?id=eq | "failed to parse filter (eq)" (line 1, column 3) | unexpected end of input expecting operator (eq, gt, ...)
            todo?id=not.1 | "failed to parse filter (not.1)" (line 1, column 5) | unexpected "1" expecting operator (eq, gt, ...)
            todo?id=not.eq | "failed to parse filter (not.eq)" (line 1, column 7) | unexpected end of input expecting operator (eq, gt, ...)
            todo?id=not.not.eq.1 | "failed to parse filter (not.not.eq.1)" (line 1, column 5) | unexpected "n" expecting operator (eq, gt, ...)
            todo?id=in.1 | "failed to parse filter (in.1)" (line 1, column 4) | unexpected "1" expecting "("
            todo?id=in.(1 | "failed to parse filter (in.(1)" (line 1, column 6) | unexpected end of input expecting "," or ")"
            todo?id=in.(1, | "failed to parse filter (in.(1,)" (line 1, column 7) | unexpected end of input expecting "," or ")"
            todo?id=in.1) | "failed to parse filter (in.1))" (line 1, column 4) | unexpected "1" expecting "("
            todo?id=fts(english.x | "failed to parse filter (fts(english.x)" (line 1, column 12) | unexpected "." expecting operator (eq, gt, ...)
            todo?id=fts().x | "failed to parse filter (fts().x)" (line 1, column 5) | unexpected ")" expecting operator (eq, gt, ...)
            todo?id= | "failed to parse filter ()" (line 1, column 1) | unexpected end of input expecting "not" or operator (eq, gt, ...)
            todo?=1 | "failed to parse tree path ()" (line 1, column 1) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?a.=eq.1 | "failed to parse tree path (a.)" (line 1, column 3) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?a->=eq.1 | "failed to parse tree path (a->)" (line 1, column 4) | unexpected end of input expecting "-", digit or any non reserved character different from: .,>()
            todo?and= | "failed to parse logic tree ()" (line 1, column 4) | unexpected end of input expecting "("
            todo?and=() | "failed to parse logic tree (())" (line 1, column 5) | unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)
            todo?or=( | "failed to parse logic tree (()" (line 1, column 4) | unexpected end of input expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)
            todo?or=(id) | "failed to parse logic tree ((id))" (line 1, column 6) | unexpected ")" expecting letter, digit, "-", "->>", "->" or delimiter (.)
            todo?or=(id.eq.1 | "failed to parse logic tree ((id.eq.1)" (line 1, column 11) | unexpected end of input expecting "," or ")"
            todo?or=(id.eq.1,) | "failed to parse logic tree ((id.eq.1,))" (line 1, column 12) | unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)
            todo?or=(id.foo.1) | "failed to parse logic tree ((id.foo.1))" (line 1, column 7) | unexpected "f" expecting "not" or operator (eq, gt, ...)
            todo?or=(id.in.(1,2) | "failed to parse logic tree ((id.in.(1,2))" (line 1, column 15) | unexpected end of input expecting "," or ")"
            todo?or=(not.id.eq.1) | "failed to parse logic tree ((not.id.eq.1))" (line 1, column 8) | unexpected "i" expecting logic operator (and, or)
            todo?or=(xor(a.eq.1)) | "failed to parse logic tree ((xor(a.eq.1)))" (line 1, column 7) | unexpected "(" expecting letter, digit, "-", "->>", "->" or delimiter (.)
            todo?not.or=(id.eq.1, | "failed to parse logic tree ((id.eq.1,)" (line 1, column 16) | unexpected end of input expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)
            todo?order= | "failed to parse order ()" (line 1, column 1) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?order=id. | "failed to parse order (id.)" (line 1, column 4) | unexpected end of input expecting "asc", "desc", "nullsfirst" or "nullslast"
            todo?order=id.foo | "failed to parse order (id.foo)" (line 1, column 4) | unexpected "f" expecting "asc", "desc", "nullsfirst" or "nullslast"
            todo?order=id.asc.foo | "failed to parse order (id.asc.foo)" (line 1, column 8) | unexpected "f" expecting "nullsfirst" or "nullslast"
            todo?order=id.asc.nullsfirst.x | "failed to parse order (id.asc.nullsfirst.x)" (line 1, column 18) | unexpected '.' expecting "," or end of input
            todo?order=id, | "failed to parse order (id,)" (line 1, column 4) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?order=. | "failed to parse order (.)" (line 1, column 1) | unexpected "." expecting field name (* or [a..z0..9_$])
            todo?order=id( | "failed to parse order (id()" (line 1, column 3) | unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input
            todo?order=id(a | "failed to parse order (id(a)" (line 1, column 3) | unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input
            todo?order=id.nullsfoo | "failed to parse order (id.nullsfoo)" (line 1, column 4) | unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast"
            todo?columns= | "failed to parse columns parameter ()" (line 1, column 1) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?columns=a, | "failed to parse columns parameter (a,)" (line 1, column 3) | unexpected end of input expecting field name (* or [a..z0..9_$])
            todo?columns=. | "failed to parse columns parameter (.)" (line 1, column 1) | unexpected "." expecting field name (* or [a..z0..9_$])
            todo?on_conflict=, | "failed to parse on_conflict parameter (,)" (line 1, column 1) | unexpected "," expecting field name (* or [a..z0..9_$])
            """)
    void theMessageIsPostgrests(String request, String message, String details) {
        FIXTURE.ask("GET /" + request).cannotBeParsed(message, details);
    }

    @Test
    void isTakesTheWordsOfVersionThirteen() {
        FIXTURE.ask("GET /todo?done=is.foo")
                .cannotBeParsed(
                        "\"failed to parse filter (is.foo)\" (line 1, column 4)",
                        "unexpected \"f\" expecting isVal: (null, not_null, true, false, unknown)");
        FIXTURE.ask("GET /todo?id=neq(any).{1}").fails(400, "PGRST100");
        FIXTURE.ask("GET /todo?id=eq(foo).1").fails(400, "PGRST100");
    }

    @Test
    void nestingHasAnEnd() {
        String tree = "and(".repeat(60) + "id.eq.1" + ")".repeat(60);
        FIXTURE.ask("GET /todo?or=(" + tree + ")").fails(400, "PGRST100");
        FIXTURE.ask("GET /todo?select=" + "a(".repeat(40) + "b" + ")".repeat(40))
                .fails(400, "PGRST100");
    }
}
