package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.block.ReadableBlock;
import svc.sqlgate.parser.BodyResult;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.SqlReading;
import svc.sqlgate.parser.Statement;

/** Variables whose types only the catalog knows are read in every place, and hide nothing. */
class VariablesOfOwnTypesTest {
    private static final ProjectNames NAMES =
            ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));
    private static final String NEIGHBOUR = "proj_00000000000000000000000000000001";

    private static final ScriptGate GATE = SharedGate.gate();

    static final String[] TYPES = {
        "mood",
        "public.mood",
        "\"Mood\"",
        "mood[]",
        "public.mood[3]",
        "citext",
        "extensions.citext",
        "geometry(Point, 4326)",
        "t.a%TYPE",
        "public.t.a%TYPE",
        "auth.users.email%type",
        "x%TYPE[]",
        "t%ROWTYPE",
        "public.t%rowtype",
        "public.t",
        "record",
        "int",
        "money",
    };

    /** Whatever the type, the parser reads each place; PostgreSQL refuses those that do not fit it. */
    @ParameterizedTest
    @FieldSource("TYPES")
    void areReadInEveryPlace(String type) {
        assertAdmitted("""
                create function f() returns int language plpgsql as $$
                <<here>>
                declare v %1$s; w constant %1$s := null; x int; c cursor (k %1$s) for select k, 1; d refcursor; s alias for v;
                begin
                  select 1, 2 into v, x; select 1, 2 into strict x, v; select into x, v 1, 2; select 1 into v;
                  insert into t values (1) returning a, b into v, x; update t set a = 1 returning b into strict v;
                  with m as (select 1) delete from t returning a, b into x, v;
                  merge into t using u on t.a = u.a when matched then delete returning t.a, t.b into v, x;
                  execute 'select 1, 2' into v, x using w; execute 'select 1' into strict v;
                  open c(v); fetch c into v, x; fetch next from c into v; close c; open d for select 1; move d;
                  for v, x in select 1, 2 loop null; end loop; for v in select 1 loop null; end loop;
                  for v, x in execute 'select 1, 2' loop null; end loop; for v in 1..3 loop null; end loop;
                  foreach v in array array[1] loop null; end loop; foreach v slice 1 in array s loop null; end loop;
                  get diagnostics v = row_count, x = row_count; v := 1; v = w; here.v := 2; v[1] := 3; s := v;
                  v.a := 1; v.b.c := 2; v.a[1].b := 3; select 1, 2 into v.a, x; get diagnostics v.a = row_count; s.a := 1;
                  for v.a, x in select 1, 2 loop null; end loop; fetch c into v.a, v.b;
                  case v when w then null; else null; end case; case when v = w then x := 1; end case;
                  declare v %1$s default null; begin select 1, 2 into v, here.v; v.a := 1; end;
                  begin raise exception 'x %%', v using hint = v; exception when others then
                    get stacked diagnostics v = message_text; end;
                  assert v = w; perform v; if v is null then return v; end if; return v.a;
                end $$""".formatted(type));
    }

    @ParameterizedTest
    @FieldSource("TYPES")
    void areReadAsParametersAndResults(String type) {
        String parameter =
                type.toLowerCase(Locale.ROOT).contains("rowtype") || type.endsWith("TYPE[]") ? "public.mood" : type;
        String body = " language plpgsql as $$ begin select 1, 2 into a, b; a.x := 1; get diagnostics b = row_count;"
                + " f.a := b; for a, b in select 1, 2 loop null; end loop; %s end $$";
        for (String head : new String[] {
            "function f(a %s, b public.mood) returns void; null;",
            "function f(a %s default null, inout b mood default 'x') returns mood; return;",
            "function public.f(a %s, out b text); return;",
            "function f(out a %s, out b text); null;",
            "function f(inout a %s, b int, variadic public.mood[]); null;",
            "function f(b int, variadic a %s) returns setof mood; return next b; return query select 1; return;",
            "function f(x int) returns table (a %s, b mood); return next; return query execute 'select 1'; return;",
            "function f(x int) returns table (a %s); declare b mood; begin select 1, 2 into a, b; end; return next;",
            "function f(a %s, b int, out c int) returns setof int; c := 1; return next;",
            "function f() returns trigger; declare b mood; declare a %s; begin select 1, 2 into new.x, a; old.y := b;"
                    + " select 1, 2 into a, b; end; return new;",
            "function f(a %s, b anyelement) returns anyelement; return b;",
            "function f(a %s, b refcursor) returns refcursor; open b for select 1; return b;",
            "function f(a %s, b anyarray) returns setof anyelement; declare r alias for $0; begin r := 1; return next r; end; return;",
            "function f(a %s, variadic b anyarray) returns anyarray; declare r alias for $0; begin r := 1; return r; end;",
            "procedure f(a %s, inout b mood); return;",
            "function f(a %s, mood) returns mood; declare c alias for $2; b int; begin select 1, 2 into c, $1; end; return $2;",
        }) {
            String[] parts = head.formatted(head.contains("variadic a") ? "mood[]" : parameter)
                    .split(";", 2);
            String statements = parts[1].contains("declare ") || parts[1].contains("open b")
                    ? " language plpgsql as $$ begin " + parts[1] + " end $$"
                    : body.formatted(parts[1]);
            assertAdmitted("create " + parts[0] + statements);
        }
    }

    static final String[] REFUSED_OBJECTS = {
        "declare v " + NEIGHBOUR + ".t; begin",
        "declare v " + NEIGHBOUR + ".t%rowtype; begin",
        "declare v " + NEIGHBOUR + ".t.a%type; begin",
        "declare v int; c cursor (v " + NEIGHBOUR + ".mood) for select 1; begin",
        "begin declare v " + NEIGHBOUR + ".mood[]; begin null; end;",
        "declare v svc_platform.project; begin",
        "declare v other.public.t; begin",
        "declare v other.public.t.a%type; begin",
        "declare v mood; r record := pg_read_file('x'); begin",
        "declare r public.t := pg_read_file('x'); begin",
        "declare r constant t%rowtype default (select pg_ls_dir('.')); begin",
        "declare v mood(pg_read_file('x')); begin",
        "begin v := w = pg_read_file('x');",
        "begin v[1] := 2 > length(pg_read_file('x'));",
        "begin v[length(pg_read_file('x'))] := 1 <> 2;",
        "begin select pg_read_file('x'), 1 into v, w;",
        "declare v mood; c cursor for select pg_read_file('x'); begin",
    };

    @ParameterizedTest
    @FieldSource("REFUSED_OBJECTS")
    void hideNothing(String block) {
        for (String head :
                new String[] {"do ", "create function f(v mood, w mood) returns mood language plpgsql as "}) {
            assertThat(GATE.judge(head + "$$ " + block + " end $$", NAMES))
                    .as(block)
                    .isInstanceOfSatisfying(
                            Verdict.Rejected.class,
                            rejected -> assertThat(rejected.code())
                                    .as(rejected.what())
                                    .isIn(ProblemCode.SQL_FORBIDDEN_OBJECT, ProblemCode.SQL_UNPARSEABLE));
        }
    }

    /** What looks like a declaration and is none, or the other way round. */
    static final String[] AMBIGUOUS = {
        "begin; declare v public.f; begin null; end; end",
        "begin null; declare pg_read_file public.f(1, 2); end",
        "begin perform 1; declare x from t; begin null; end; end",
        "declare v varchar(1000000); w public.f(1000001) x y; begin end",
        "begin case declare when then declare x y; end case; end",
        "begin end; end; begin begin perform 1; ",
        "declare \"\" int; begin end",
        "declare U&\"\\0000\" int; begin end",
        "declare v mood; begin end /* open",
        "declare v mood; begin end 'open",
        "",
        ";",
        "#",
        "# option dump",
    };

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void whatIsNoBlockIsRefused(String body) {
        assertThat(GATE.judge("do $body$" + body + "$body$", NAMES)).as(body).isInstanceOf(Verdict.Rejected.class);
    }

    @Test
    void manyNumbersLeaveAMark() {
        var numbers = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            numbers.append(',').append(1_000_000 + i);
        }
        assertAdmitted("do $$ declare v mood; x varchar(1000000); begin select 1, 2 into v, x; perform 1" + numbers
                + "; end $$");
    }

    /** Names in the default of a record are replaced like all others. */
    @Test
    void defaultsOfRecordsAreMapped() {
        var admitted = (Verdict.Admitted) GATE.judge(
                "do $$ declare r record := (select t from public.t limit 1); s public.t = public.f(); v public.t.a%type; begin end $$",
                NAMES);
        assertThat(admitted.script().text())
                .isEqualTo(
                        "do $$ declare r record := (select t from S.t limit 1); s S.t = S.f(); v S.t.a%type; begin end $$"
                                .replace("S.", NAMES.schemaName() + "."));
    }

    /**
     * The parser finds the same texts in a body as in the form in which it is asked for it, but for the defaults of records,
     * which it leaves out.
     */
    @Test
    void theTextsOfABodyDependOnNoType() throws Exception {
        int compared = 0;
        try (SqlReading reading = SharedGate.reader().begin()) {
            for (String script : migrations("")) {
                if (!(reading.parse(script) instanceof ParseResult.Parsed parsed)) {
                    continue;
                }
                for (Statement statement : parsed.statements()) {
                    Optional<ReadableBlock> asked = FunctionBody.ofPlpgsql(statement);
                    if (asked.isPresent()
                            && reading.parsePlpgsql(List.of(statement.text())).getFirst()
                                    instanceof BodyResult.Read plain) {
                        var read = (BodyResult.Read)
                                reading.parsePlpgsql(List.of(asked.get().sql())).getFirst();
                        assertThat(asked.get().agrees(read.tree()))
                                .as(statement.text())
                                .isTrue();
                        assertThat(texts(read)).as(statement.text()).containsAll(texts(plain));
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(90);
    }

    /** {@code CorpusTest} calls them and checks what they do. */
    @Test
    void theCorpusHasManyBodies() throws Exception {
        long bodies = 0;
        try (SqlReading reading = SharedGate.reader().begin()) {
            for (String script : migrations("plpgsql")) {
                bodies += ((ParseResult.Parsed) reading.parse(script))
                        .statements().stream().filter(FunctionBody::isPlpgsql).count();
            }
        }
        assertThat(bodies).isGreaterThanOrEqualTo(120);
    }

    private static TreeSet<String> texts(BodyResult.Read body) {
        var found = new TreeSet<String>();
        FunctionBody.embedded(body.tree())
                .forEach(text -> found.add(text.origin() + text.sql().replaceAll("__Case__Variable_\\d+__", "")));
        return found;
    }

    private static List<String> migrations(String family) throws IOException, URISyntaxException {
        Path folder = Path.of(VariablesOfOwnTypesTest.class
                .getResource("/svc/sqlgate/corpus/" + family)
                .toURI());
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".sql")).toList()) {
                found.add(Files.readString(file));
            }
        }
        return found;
    }

    private static void assertAdmitted(String sql) {
        assertThat(GATE.judge(sql, NAMES)).as(sql).isInstanceOf(Verdict.Admitted.class);
    }
}
