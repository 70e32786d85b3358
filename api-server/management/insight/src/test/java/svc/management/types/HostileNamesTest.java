package svc.management.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.management.types.TypeModel.Rows;

/** Any name of a table, column or label gives code that the language's own tools accept, and that is unambiguous. */
class HostileNamesTest {
    private static final int MODELS = 120;

    @TempDir
    Path folder;

    /** Ended well, and what it printed. */
    private String run(String... words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "tool", ".out");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(out)).isZero();
        return Files.readString(out);
    }

    private static Optional<String> tool(String name) {
        return Stream.concat(
                        Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(File.pathSeparator)),
                        Stream.of("/usr/local/go/bin"))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    @Test
    void goIsLaidOutAsGofmtDoesAndVetFindsNothing() throws Exception {
        Optional<String> go = tool("go");
        assumeThat(go).as("Go").isPresent();
        Files.writeString(folder.resolve("go.mod"), "module types\n\ngo 1.24\n");
        for (int seed = 0; seed < MODELS; seed++) {
            Path part = Files.createDirectory(folder.resolve("p" + seed));
            Files.writeString(part.resolve("database.go"), GoTypes.of(Model.random(seed)));
        }
        assertThat(run(tool("gofmt").orElseThrow(), "-l", ".")).isEmpty();
        run(go.get(), "vet", "-structtag", "./...");
    }

    @Test
    void pythonCompiles() throws Exception {
        List<String> words = new ArrayList<>(List.of("python3", "-m", "py_compile"));
        for (int seed = 0; seed < MODELS; seed++) {
            String file = "p" + seed + ".py";
            Files.writeString(folder.resolve(file), PythonTypes.of(Model.random(seed)));
            words.add(file);
        }
        run(words.toArray(String[]::new));
    }

    /** Each class has every column under its own name, and reads a row. */
    @Test
    void pydanticReadsRowsOfAnyColumns() throws Exception {
        assumeThat(new ProcessBuilder("python3", "-c", "import pydantic")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor())
                .as("pydantic")
                .isZero();
        Path script = folder.resolve("check_types.py");
        try (var in = HostileNamesTest.class.getResourceAsStream("check_types.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        var random = new Random(7);
        Set<String> columns =
                new HashSet<>(List.of("datetime", "uuid", "str", "_", "a", "A", "a_2", "class", "model_config"));
        for (int i = 0; i < 40; i++) {
            columns.addAll(Model.names(random, 12));
        }
        ObjectNode row = new ObjectMapper().createObjectNode();
        columns.forEach(column -> row.put(column, "x"));
        Path expected = folder.resolve("expected.json");
        new ObjectMapper()
                .writeValue(
                        expected.toFile(), new ObjectMapper().createObjectNode().set("PublicTodos", row));
        Path module = folder.resolve("database_types.py");
        Files.writeString(
                module, PythonTypes.of(Model.ofColumns(columns.stream().sorted().toList())));
        assertThat(run("python3", script.toString(), module.toString(), expected.toString()))
                .contains("read 1");
    }

    /** What stands for itself in Swift: an identifier, in backticks or not; the rest of a case is one string. */
    private static final Pattern SWIFT_CASE = Pattern.compile(
            " *case (`?)[A-Za-z][A-Za-z0-9_]*\\1 = \"(?:[^\"\\\\\\p{Cc}\\p{Cf}]|\\\\[\"\\\\]|\\\\u\\{[0-9a-f]+})*\"");

    private static final Pattern SWIFT_MEMBER = Pattern.compile(
            " *internal (?:let|var) (`?)[A-Za-z][A-Za-z0-9_]*\\1: [\\[\\]A-Za-z0-9_.?]+(?: \\{ [A-Za-z0-9_`]+ })?");

    private static final Pattern SWIFT_TYPE =
            Pattern.compile(" *internal (?:enum|struct) ([A-Z][A-Za-z0-9_]*)[A-Za-z, :]* \\{");

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 2_000})
    void swiftHasOneFormOfLineForEachThingAndNoNameTwice(long from) {
        for (long seed = from; seed < from + 200; seed++) {
            List<String> lines =
                    SwiftTypes.of(Model.random(seed)).lines().skip(2).toList();
            var scopes = new ArrayList<Set<String>>(List.of(new HashSet<>()));
            for (String line : lines) {
                Matcher type = SWIFT_TYPE.matcher(line);
                if (type.matches()) {
                    assertThat(scopes.getLast().add(type.group(1))).as(line).isTrue();
                    scopes.add(new HashSet<>());
                } else if (line.strip().equals("}")) {
                    scopes.removeLast();
                } else if (!line.isEmpty()) {
                    assertThat(line)
                            .matches(text -> SWIFT_CASE.matcher(text).matches()
                                    || SWIFT_MEMBER.matcher(text).matches());
                    String name = line.strip().split(" = |: ")[0];
                    assertThat(scopes.getLast().add(name.substring(name.lastIndexOf(' ') + 1)))
                            .as(line)
                            .isTrue();
                }
            }
            assertThat(scopes).hasSize(1);
        }
    }

    @Test
    void aNameThatIsAnIdentifierKeepsItWhateverElseThereIs() {
        var names = new UniqueNames(Set.of());
        assertThat(names.claimAll(List.of("A", "a", "a b", "a_b", "a_b_2"), Words::snake))
                .containsEntry("a", "a")
                .containsEntry("A", "a_2")
                .containsEntry("a_b", "a_b")
                .containsEntry("a_b_2", "a_b_2")
                .containsEntry("a b", "a_b_3");
    }

    @Test
    void namesWithoutLettersAndDigitsAreTheirCodePoints() {
        assertThat(Words.pascal("日本")).isEqualTo("U65e5u672c");
        assertThat(Words.camel("💥")).isEqualTo("u1f4a5");
        assertThat(Words.snake("2fa-on")).isEqualTo("x2fa_on");
    }

    @Test
    void manyNamesOfOneIdentifierAreNumberedInLinearTime() {
        List<String> columns = IntStream.range(0, 20_000)
                .mapToObj(number -> "a" + "-".repeat(number % 50) + Character.toString(0x4e00 + number))
                .toList();
        assertThat(new UniqueNames(Set.of()).claimAll(columns, Words::snake).values())
                .doesNotHaveDuplicates();
    }

    @Test
    void aColumnThatGoCannotTagIsSaid() {
        String text = GoTypes.of(Model.ofColumns(List.of("a,b", "-", "it's", "ok", "💥")));
        assertThat(text)
                .contains("\t// Left out, because encoding/json cannot name them: \"a,b\", \"it's\", \"💥\".\n")
                .contains("`json:\"-,\"`")
                .contains("`json:\"ok\"`");
    }

    private static List<String> columnsOf(Rows rows) {
        return rows.fields().stream().map(TypeModel.Field::name).toList();
    }

    /** No column is lost where the language can name it: Swift but for equal forms, Python always. */
    @Test
    void noColumnIsLost() {
        for (int seed = 0; seed < MODELS; seed++) {
            TypeModel model = Model.random(seed);
            String python = PythonTypes.of(model);
            long fields = model.schemas().stream()
                    .flatMap(schema -> Stream.concat(schema.relations().stream(), schema.composites().stream()))
                    .mapToLong(rows -> columnsOf(rows).size())
                    .sum();
            assertThat(Pattern.compile("= Field\\(alias=")
                            .matcher(python)
                            .results()
                            .count())
                    .isEqualTo(fields);
        }
    }
}
