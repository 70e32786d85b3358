package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.server.architecture.WordList.Find;

/** Comments, documents and names are plain technical English: they name the actor and use the terms of the field. */
class WordsTest {
    private static final Path REPOSITORY = Path.of("..", "..");

    /** Folders whose texts are not rewritten yet. */
    private static final List<String> NOT_YET = List.of();

    /** By file, the word that it may use. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            // A user of the operating system has this name.
            "embedded/src/main/java/svc/embedded/postgres/Unprivileged.java", "nobody");

    /** Folders that are tracked although their names begin with a dot; the first is the parent folder. */
    private static final Set<String> VISIBLE = Set.of("..", ".ci", ".github");

    /** Of builds and of package managers. */
    private static final Set<String> GENERATED = Set.of("target", "build", "node_modules", "data");

    @Test
    void textsAreInPlainTechnicalEnglish() throws IOException {
        List<String> finds = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (Path file : files()) {
            String path = REPOSITORY.relativize(file).toString().replace('\\', '/');
            if (NOT_YET.stream().anyMatch(path::startsWith)) {
                continue;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            for (Find find : finds(file.getFileName().toString(), text)) {
                if (find.word().equals(EXCEPTIONS.get(path))) {
                    used.add(path);
                } else {
                    finds.add("%s:%d: not \"%s\", but for example: %s"
                            .formatted(path, line(text, find.position()), find.word(), find.instead()));
                }
            }
        }

        assertThat(finds).isEmpty();
        assertThat(used).as("remove the other exceptions").containsExactlyElementsOf(EXCEPTIONS.keySet());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    A.java          | /** A caller is told why. */                         | told
                    A.java          | // For those\\n// who wait; Nobody's.                 | those who, nobody
                    A.java          | String s = "told"; // hence                          | hence
                    A.java          | String s = "\\"told // anew"; char c = '"'; int told; | told
                    A.java          | var s = \"""\\n "told" // anew\\n \"""; // anew         | anew
                    A.java          | // The word `told`, {@code nobody}, {@link A#told}   |
                    A.java          | int MOST_FILES = LEAST; // LONGEST_ in a comment     | most, least
                    A.java          | void isToldToNobody() {}                             | told, nobody
                    A.java          | int ENDED_AS_TOLD; int untold; int almost; atMost(1) | told
                    a.ts            | const told = `${x} told` // wishes                   | told, wishes
                    a.ts            | const quotes = /["'`]/; const anew = 1 / 2           | anew
                    a.go            | var s = `"told` // Whoever                           | whoever
                    a.sql           | SELECT 'it''s -- told'; -- looks\\n-- at             | looks at
                    a.sql           | -- expect: select 'nobody' => 1                      |
                    a.sql           | AS $body$ BEGIN -- anew\\n END $body$                 | anew
                    a.yaml          | key: nobody#told # lest                              | lest
                    a.tpl           | {{- /* told */ -}} nobody                            | told
                    run             | #!/bin/sh\\necho told # hence                         | hence
                    pom.xml         | <a>told</a><!-- told -->                             | told
                    a.md            | Told: `told`, ``nobody``.\\n```\\nanew\\n```\\nanew       | told, anew
                    a.md            | A lone ` and the one\\nwho wishes                     | the one who, wishes
                    a.json          | {"told": "nobody"}                                   |
                    """)
    void aSampleHasTheseFinds(String name, String text, String expected) {
        List<String> words =
                finds(name, text.replace("\\n", "\n")).stream().map(Find::word).toList();

        assertThat(String.join(", ", words)).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void aFindHasItsLine() {
        String text = "One.\nTwo.\nThree anew.\n";

        assertThat(finds("a.md", text))
                .singleElement()
                .satisfies(find -> assertThat(line(text, find.position())).isEqualTo(3));
    }

    private static List<Find> finds(String name, String text) {
        return Syntax.of(name, text).map(syntax -> WordList.finds(syntax, text)).orElse(List.of());
    }

    private static long line(String text, int position) {
        return 1 + text.substring(0, position).chars().filter(c -> c == '\n').count();
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(REPOSITORY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean others = GENERATED.contains(name) || (name.startsWith(".") && !VISIBLE.contains(name));
                return others ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
