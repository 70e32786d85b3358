package svc.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Text that others wrote is read in time linear in its length: by RE2J ({@code com.google.re2j}) or by a scanner. Java's own
 * expressions backtrack, and recurse for each character of a group; its normalisation sorts runs of combining marks.
 */
class LinearTextTest {
    private static final String NAMES = "names of objects, settings and keys: at most some hundred characters each";
    private static final String OWN_PAGES = "the pages of docs/, which are part of the program";

    /** Classes, or packages with a dot at the end, and why the text that they read is bounded. */
    private static final Map<String, String> ALLOWED = new TreeMap<>(Map.ofEntries(
            Map.entry("svc.crds.", NAMES),
            Map.entry("svc.database.", "scripts of the program, and " + NAMES),
            Map.entry("svc.management.docs.DocPage", OWN_PAGES),
            Map.entry("svc.management.docs.Docs", OWN_PAGES),
            Map.entry("svc.management.docs.Terms", OWN_PAGES + ", and queries of DocTools.MAX_QUERY characters"),
            Map.entry("svc.management.function.SourcePath", "paths of MAX_LENGTH characters"),
            Map.entry("svc.management.postgres.HistoryStatement", "statements of MAX_LENGTH characters"),
            Map.entry(
                    "svc.management.postgres.LocalStatement",
                    "statements of MAX_LENGTH, comments of MAX_COMMENT characters"),
            Map.entry("svc.management.postgres.value.BinaryNumeric", "a numeric's digits; the expression is anchored"),
            Map.entry(
                    "svc.management.query.result.ValueAsJson",
                    "numbers and times as PostgreSQL writes them: no two ways to match, and thousands in a result"),
            Map.entry("svc.management.storage.S3Keys", "S3AccessKey.ID: one class of characters, 32 times"),
            Map.entry("svc.management.types.SwiftTypes", "names of tables and columns: 63 bytes"),
            // Their patterns are single classes of characters, or are anchored.
            Map.entry("svc.graphql.", NAMES),
            Map.entry("svc.sqlgate.", "statements that the parser has read"),
            Map.entry("svc.storage.", "values of headers, and " + NAMES)));

    private static final Set<String> BY_EXPRESSION = Set.of("matches", "replaceAll", "replaceFirst");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOptions(List.of(new ImportOption.DoNotIncludeTests(), new BoundariesTest.WithoutFixtures()))
            .importPackages("svc");

    @Test
    void nothingBacktracks() {
        noClasses()
                .that(DescribedPredicate.describe("are not on the list", LinearTextTest::isBoundedByRule))
                .should(readTextByExpressions())
                .because(
                        "one request could occupy a processor for minutes: use com.google.re2j, a scanner, or add the class"
                                + " to ALLOWED with the bound of its text")
                .check(CLASSES);
    }

    @Test
    void theListHasNoEntryThatIsNotNeeded() {
        Set<String> unused = new TreeSet<>(ALLOWED.keySet());
        CLASSES.stream()
                .filter(each -> !uses(each).isEmpty())
                .forEach(each -> unused.removeIf(entry -> covers(entry, each)));
        Set<String> absent = new TreeSet<>();
        CLASSES.forEach(
                each -> unused.stream().filter(entry -> covers(entry, each)).forEach(absent::add));
        assertThat(absent).as("remove these entries").isEmpty();
    }

    private static boolean isBoundedByRule(JavaClass type) {
        return ALLOWED.keySet().stream().noneMatch(entry -> covers(entry, type));
    }

    private static boolean covers(String entry, JavaClass type) {
        return entry.endsWith(".")
                ? type.getName().startsWith(entry)
                : type.getName().equals(entry) || type.getName().startsWith(entry + "$");
    }

    private static List<String> uses(JavaClass type) {
        Stream<String> calls = type.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(String.class)
                        && BY_EXPRESSION.contains(call.getTarget().getName()))
                .map(Object::toString);
        Stream<String> types = type.getDirectDependenciesFromSelf().stream()
                .filter(dependency ->
                        dependency.getTargetClass().getPackageName().equals("java.util.regex")
                                || dependency.getTargetClass().isEquivalentTo(Normalizer.class))
                .map(dependency -> dependency.getDescription());
        return Stream.concat(calls, types).toList();
    }

    private static ArchCondition<JavaClass> readTextByExpressions() {
        return new ArchCondition<>("read text by Java's expressions or normalise it") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                uses(type).forEach(use -> events.add(SimpleConditionEvent.satisfied(type, use)));
            }
        };
    }

    /** {@code String.split} scans by itself where the separator is one character; anything else is an expression. */
    @Test
    void textIsSplitAtOneCharacter() throws IOException {
        List<String> others = new java.util.ArrayList<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            Matcher split = Pattern.compile("([\\w)]+)\\s*\\.split\\(\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[A-Z_]+)")
                    .matcher(text);
            while (split.find()) {
                if (!split.group(1).matches("[A-Z_]+") && !isOneCharacter(separator(split.group(2), text))) {
                    others.add(source.getFileName() + ": split(" + split.group(2) + ")");
                }
            }
        }
        assertThat(others).isSubsetOf(SPLIT_BY_EXPRESSION);
    }

    /** Each is bounded as {@link #ALLOWED} says of its class. */
    private static final List<String> SPLIT_BY_EXPRESSION = List.of(
            "DocPage.java: split(\"\\r?\\n\")",
            "MigrationBatch.java: split(\"[^A-Za-z]+\")",
            "TusHeaders.java: split(\"\\\\s+\")");

    private static String separator(String argument, String text) {
        if (argument.startsWith("\"")) {
            return argument;
        }
        Matcher constant = Pattern.compile("\\b" + argument + "\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\")")
                .matcher(text);
        return constant.find() ? constant.group(1) : argument;
    }

    /** As the source has it: {@code ","}, {@code "\\|"}, {@code "\n"}. */
    private static boolean isOneCharacter(String literal) {
        return literal.matches("\"(?:[^\\\\.$|()\\[{^?*+]|\\\\\\\\[^A-Za-z0-9]|\\\\[nrt0])\"");
    }

    private static List<Path> sources() throws IOException {
        Path repository = Path.of("..", "..");
        try (Stream<Path> all = Files.walk(repository)) {
            return all.filter(path ->
                            path.toString().endsWith(".java") && path.toString().contains("/src/main/java/"))
                    .filter(path -> Arrays.stream(new String[] {"/embedded/", "/e2e/", "/testing/", "/images/"})
                            .noneMatch(module -> path.toString().contains("../.." + module)))
                    .toList();
        }
    }
}
