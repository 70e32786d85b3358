package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.database.architecture.LinearText;

/** {@link LinearText} in the API server and in the modules which it shares with the operator. */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class LinearTextTest {
    private static final String NAME = "a name of PostgreSQL, 63 bytes";
    private static final String OWN_PAGES = "the pages of docs/, which are part of the program";
    private static final String KEY = "a key of the installation or of a project, as the operator has made it";
    private static final String OWN_SQL = "scripts and templates of the program";

    private static final LinearText TEXT = new LinearText(Map.ofEntries(
            Map.entry("svc.crds.function.FunctionObject", "names of MAX_NAME_CHARS characters"),
            Map.entry("svc.database.key.Incarnation", KEY),
            Map.entry("svc.database.key.DerivedKey", KEY),
            Map.entry("svc.database.key.ProjectLeaves", KEY),
            Map.entry("svc.database.key.PurposeRoot", KEY),
            Map.entry("svc.database.name.FurtherSchema", "the form has a maximum; the prefix is anchored"),
            Map.entry("svc.database.name.ProjectNames", NAME),
            Map.entry("svc.database.name.SupabaseRef", "the forms have a maximum of 20 characters"),
            Map.entry("svc.database.network.AddressRange", "settings of the installation; one class of characters"),
            Map.entry("svc.database.project.RevokeSteps", "names of roles and of grantors, 63 bytes each"),
            Map.entry("svc.database.project.SqlBlock", "the place of an error in a script of the program"),
            Map.entry("svc.database.shared.DerivedViews", "definitions of PostgreSQL's own views"),
            Map.entry("svc.database.sql.SqlTemplate", OWN_SQL),
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
            Map.entry("svc.management.types.SwiftTypes", "names of tables and columns: 63 bytes"),
            Map.entry(
                    "svc.storage.name.ObjectName",
                    "names of MAX_BYTES; normalisation of MAX_UNNORMALIZED characters with runs of MAX_MARKS")));

    @ArchTest
    static void nothingBacktracks(JavaClasses classes) {
        TEXT.rule().check(classes);
    }

    @ArchTest
    static void theListHasNoEntryThatIsNotNeeded(JavaClasses classes) {
        assertThat(TEXT.unused(classes)).as("remove these entries").isEmpty();
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

    /** The first reads pages of the program, the second a name. */
    private static final List<String> SPLIT_BY_EXPRESSION =
            List.of("DocPage.java: split(\"\\r?\\n\")", "MigrationBatch.java: split(\"[^A-Za-z]+\")");

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
