package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.name.ProjectNames;
import svc.sqlgate.lexical.Tokens;
import svc.testing.FuzzSeed;

/** Whatever becomes of a migration on its way, the gate has a verdict on it and never a fault. */
class MutatedScriptsTest {
    private static final long FIXED = 20_301_131;
    private static final int SCRIPTS = 250;
    private static final int MAX_LENGTH = 4_000;

    /** What makes something else of the text around it. */
    private static final List<String> PARTS = List.of(
            ";",
            "'",
            "\"",
            "$$",
            "$x$",
            "(",
            ")",
            "/*",
            "*/",
            "--",
            "\n",
            "E'\\'",
            "U&\"\\0041\"",
            "public.",
            "auth.",
            "::",
            "BEGIN",
            "END",
            "COMMIT",
            "EXECUTE 'DROP TABLE public.t'",
            "LANGUAGE plpgsql",
            "AS",
            "USING (",
            "WITH CHECK (",
            "storage.objects",
            "realtime.messages",
            "auth.users",
            "supabase_realtime",
            "%ROWTYPE",
            "%TYPE",
            ":=",
            "ä😀",
            "DO $$ BEGIN",
            "$1",
            "NULL",
            "'public.t'::regclass",
            "ONLY",
            "*",
            "IS DISTINCT FROM",
            "TO authenticated",
            "\t");

    private static final ScriptGate GATE = SharedGate.gate();

    static LongStream seeds() {
        return LongStream.of(FuzzSeed.of(FIXED));
    }

    private static List<String> migrations() throws IOException, URISyntaxException {
        Path folder = Path.of(
                MutatedScriptsTest.class.getResource("/svc/sqlgate/corpus").toURI());
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                    .sorted()
                    .toList()) {
                found.add(Files.readString(file));
            }
        }
        return found;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void haveAVerdict(long seed) throws Exception {
        var random = new Random(seed);
        List<String> migrations = migrations();
        ProjectNames names = ProjectNames.shared(UUID.randomUUID());
        int admitted = 0;
        for (int i = 0; i < SCRIPTS; i++) {
            String sql = mutated(migrations.get(random.nextInt(migrations.size())), random);
            var verdict = new Verdict[1];
            assertThatCode(() -> verdict[0] = GATE.judge(sql, names)).as(sql).doesNotThrowAnyException();
            assertThat(verdict[0]).as(sql).isNotNull().isNotInstanceOf(Verdict.Unknown.class);
            admitted += verdict[0] instanceof Verdict.Admitted ? 1 : 0;
        }
        assertThat(admitted).as("scripts that are still SQL").isPositive();
    }

    /** One to three changes of its tokens. */
    private static String mutated(String migration, Random random) {
        int start = migration.length() <= MAX_LENGTH ? 0 : random.nextInt(migration.length() - MAX_LENGTH);
        String sql = migration.substring(start, Math.min(start + MAX_LENGTH, migration.length()));
        Tokens tokens = Tokens.of(sql);
        if (tokens.size() < 2) {
            return sql;
        }
        List<String> parts = new ArrayList<>();
        int copied = 0;
        for (int i = 0; i < tokens.size(); i++) {
            parts.add(sql.substring(copied, tokens.get(i).end()));
            copied = tokens.get(i).end();
        }
        parts.add(sql.substring(copied));
        for (int change = random.nextInt(3); change >= 0; change--) {
            int place = random.nextInt(parts.size() - 1);
            switch (random.nextInt(4)) {
                case 0 -> parts.set(place, "");
                case 1 -> parts.add(place, parts.get(random.nextInt(parts.size())));
                case 2 -> Collections.swap(parts, place, place + 1);
                default -> parts.add(place, " " + PARTS.get(random.nextInt(PARTS.size())) + " ");
            }
        }
        return String.join("", parts);
    }
}
