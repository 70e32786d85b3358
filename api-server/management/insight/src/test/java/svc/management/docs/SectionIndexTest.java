package svc.management.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SectionIndexTest {
    private static final Path FOLDER = Path.of("../../../docs");
    private static final String PAGE = """
            # Files

            About files.

            ## Uploads

            Uploads may be *resumed*.

            ```
            # no heading
            ```

            ## Limits

            A file has 5 GB.

            ## Limits

            A bucket has policies, see `storage_objects_policy`.
            """;

    private static final SectionIndex OF_PAGE =
            new SectionIndex(new DocPage("files.md", "Storage", PAGE, 1).sections());

    private static List<String> found(String query) {
        return OF_PAGE.search(query, 10).stream().map(DocSection::path).toList();
    }

    @Test
    void aPageHasASectionForEachHeadingOutsideOfCode() {
        List<DocSection> sections = new DocPage("files.md", "Storage", PAGE, 1).sections();
        assertThat(sections.stream().map(DocSection::path))
                .containsExactly("files.md", "files.md#uploads", "files.md#limits", "files.md#limits-1");
        assertThat(sections.stream().map(DocSection::fullTitle))
                .containsExactly("Storage", "Storage › Uploads", "Storage › Limits", "Storage › Limits");
        assertThat(sections.get(1).text()).contains("# no heading");
    }

    @ParameterizedTest
    @CsvSource({
        "resuming an upload, files.md#uploads",
        "UPLOADING, files.md#uploads",
        "limits, files.md#limits",
        "policy of a bucket, files.md#limits-1",
        "storage_objects_policy, files.md#limits-1",
        "objects policy, files.md#limits-1"
    })
    void theSectionWithTheRarestOfTheWordsIsFirst(String query, String first) {
        assertThat(found(query)).first().isEqualTo(first);
    }

    @Test
    void wordsThatNoSectionHasFindNothing() {
        for (String query : List.of("", "the of", "xylophone", "\0", "))((", "日本語")) {
            assertThat(found(query)).as(query).isEmpty();
        }
    }

    @Test
    void anExcerptIsTheLinesAroundTheOneThatMatches() {
        String filler = "nothing of interest here\n".repeat(100);
        var section = new DocSection("a.md", "A", "A", "", filler + "the signed address of a file\n" + filler, 1);
        String excerpt = SectionIndex.excerpt(section, "signed address", 300);
        assertThat(excerpt)
                .contains("the signed address of a file")
                .startsWith("…")
                .endsWith("…");
        assertThat(excerpt.length()).isLessThan(310);
        var oneLine = new DocSection("a.md", "A", "A", "", "word ".repeat(1000), 1);
        assertThat(SectionIndex.excerpt(oneLine, "word", 300).length()).isEqualTo(301);
    }

    /** The pages as they are: words of a task lead to the page that has it. */
    @ParameterizedTest
    @CsvSource({
        "verify_jwt webhook without token, functions",
        "resumable uploads TUS, storage.md",
        "filter rows by json column, rest.md",
        "sign in with Google OAuth provider, auth.md",
        "postgres_changes filter, realtime",
        "restore a backup, op",
        "function secrets environment variables, functions",
        "project_ref read_only mcp, agents.md",
        "migrations idempotency, migrations.md",
        "service role key permissions, security",
        "google login, auth.md",
        "webhook function without jwt, functions",
        "RLS policy of a broadcast channel, realtime.md",
        "pgvector extension, sql-shared.md",
        "svc db push, cli.md"
    })
    void wordsOfATaskLeadToItsPage(String query, String page) throws IOException {
        assertThat(pages().search(query, 3).stream().map(DocSection::page))
                .as(query)
                .anyMatch(name -> name.startsWith(page));
    }

    /** Who builds an application asks; how the platform is made and tested is not the answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "create a table with row security",
                "deploy a function",
                "functions run on Deno",
                "upload a file and get its url",
                "subscribe to inserts of a table",
                "limits of a query",
                "errors of a migration",
                "how do I test my policies",
                "local development",
                "schema changes",
                "what does the platform do with a project's secrets"
            })
    void usersPagesAreBeforeInternals(String query) throws IOException {
        assertThat(pages().search(query, 3).stream().map(DocSection::path))
                .as(query)
                .noneMatch(
                        path -> List.of("architecture", "contributing", "glossary", "release", "operator.md").stream()
                                        .anyMatch(path::startsWith)
                                || path.endsWith("#promises"));
    }

    private static SectionIndex pages() throws IOException {
        return new SectionIndex(
                Docs.pages(Files.readString(FOLDER.resolve("llms.txt")), SectionIndexTest::text).values().stream()
                        .flatMap(page -> page.sections().stream())
                        .toList());
    }

    private static String text(String page) {
        try {
            return Files.readString(FOLDER.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theIndexLinksEachPageOnce() throws IOException {
        String index = Files.readString(FOLDER.resolve("llms.txt"));
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".md")).toList()) {
                assertThat(index.split("\\(" + file.getFileName() + "\\)", -1))
                        .as("links to " + file)
                        .hasSize(2);
            }
        }
    }
}
