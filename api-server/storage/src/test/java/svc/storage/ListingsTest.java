package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Folders are listed by offset and by cursor, whatever lies below them. */
class ListingsTest {
    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", false);
        storage.bucket("one", "other", false);
        // Rows are enough for listings; the order of insertion is that of created_at.
        insert(
                "b",
                "z.txt",
                "a.txt",
                "folder/one.txt",
                "folder/two.txt",
                "folder/sub/deep.txt",
                "folder-b/x",
                "folder0",
                "Beta.txt",
                "beta2.txt");
        insert("other", "hidden/secret");
    }

    private static void insert(String bucket, String... names) {
        String objects = storage.tenant("one").names().storage().sql() + ".objects";
        int second = 0;
        for (String name : names) {
            second++;
            storage.projects()
                    .asOperator("INSERT INTO " + objects + " (bucket_id, name, version, metadata, created_at) VALUES ('"
                            + bucket + "', '" + name + "', gen_random_uuid()::text, '{\"size\": 1}', '2026-01-01 00:00:"
                            + String.format("%02d", second) + "+00')");
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static List<String> list(String body) {
        Answer answer = storage.call("one", "POST", "/object/list/b", SERVICE, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return names(answer.json());
    }

    private static List<String> names(JsonNode entries) {
        return StreamSupport.stream(entries.spliterator(), false)
                .map(entry -> entry.path("name").asText())
                .toList();
    }

    @Test
    void foldersComeFirst() {
        assertThat(list("{\"prefix\":\"\"}"))
                .containsExactly("folder", "folder-b", "Beta.txt", "a.txt", "beta2.txt", "folder0", "z.txt");
        assertThat(list("{\"prefix\":\"folder\"}")).containsExactly("sub", "one.txt", "two.txt");
        assertThat(list("{\"prefix\":\"folder/sub/\"}")).containsExactly("deep.txt");
        assertThat(list("{\"prefix\":\"none\"}")).isEmpty();
    }

    @Test
    void aFolderHasNoIdAndAFileItsRow() {
        JsonNode entries = storage.call("one", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"folder\"}")
                .json();
        assertThat(entries.get(0).toString())
                .contains("\"id\":null", "\"metadata\":null", "\"updated_at\":null", "\"created_at\":null");
        assertThat(entries.get(1).path("id").asText()).matches("[0-9a-f-]{36}");
        assertThat(entries.get(1).path("metadata").path("size").asInt()).isEqualTo(1);
        assertThat(entries.get(1).path("created_at").asText()).isEqualTo("2026-01-01T00:00:03.000Z");
    }

    @Test
    void listsAreSortedSearchedAndPaged() {
        assertThat(list("{\"prefix\":\"\",\"limit\":2,\"offset\":1}")).containsExactly("folder-b", "Beta.txt");
        assertThat(list("{\"prefix\":\"\",\"search\":\"BETA\"}")).containsExactly("Beta.txt", "beta2.txt");
        assertThat(list("{\"prefix\":\"\",\"search\":\"%\"}")).isEmpty();
        assertThat(list("{\"prefix\":\"\",\"search\":\"folder/t\"}")).containsExactly("two.txt");
        assertThat(list("{\"prefix\":\"folder\",\"sortBy\":{\"column\":\"name\",\"order\":\"desc\"}}"))
                .containsExactly("sub", "two.txt", "one.txt");
        assertThat(list("{\"prefix\":\"\",\"sortBy\":{\"column\":\"created_at\",\"order\":\"desc\"},\"offset\":2}"))
                .containsExactly("beta2.txt", "Beta.txt", "folder0", "a.txt", "z.txt");
    }

    @Test
    void aFolderHasItsKeyWithoutTheSlash() {
        Answer page = storage.call(
                "one",
                "POST",
                "/object/list-v2/b",
                SERVICE,
                "{\"prefix\":\"folder/\",\"with_delimiter\":true,\"limit\":2}");
        assertThat(page.json().path("folders").toString())
                .isEqualTo("[{\"name\":\"folder/sub/\",\"key\":\"folder/sub\"}]");
        assertThat(page.text("nextCursorKey")).isEqualTo("folder/sub/");
    }

    @Test
    void policiesHideFilesAndTheFoldersThatHaveNoOther() {
        assertThat(storage.call("one", "POST", "/object/list/b", ALICE, "{\"prefix\":\"\"}")
                        .body())
                .isEqualTo("[]");
        storage.project("rls");
        storage.policy("rls", "FOR SELECT TO PUBLIC USING (name LIKE 'folder/%')");
        storage.bucket("rls", "b", false);
        for (String name : new String[] {"folder/a", "hidden/b", "c"}) {
            storage.upload("rls", "b/" + name, SERVICE, "x");
        }
        assertThat(names(storage.call("rls", "POST", "/object/list/b", ALICE, "{\"prefix\":\"\"}")
                        .json()))
                .containsExactly("folder");
    }

    @ParameterizedTest
    @CsvSource({"asc, 1", "asc, 2", "asc, 3", "desc, 1", "desc, 2", "desc, 4"})
    void aCursorVisitsEveryEntryOnce(String order, int limit) {
        List<String> expected =
                new ArrayList<>(List.of("Beta.txt", "a.txt", "beta2.txt", "folder-b/", "folder/", "folder0", "z.txt"));
        if (order.equals("desc")) {
            java.util.Collections.reverse(expected);
        }
        assertThat(visit("{\"prefix\":\"\",\"with_delimiter\":true,\"limit\":" + limit
                        + ",\"sortBy\":{\"column\":\"name\",\"order\":\"" + order + "\"}"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({"asc, true", "desc, true", "asc, false", "desc, false"})
    void aCursorVisitsEveryEntryByTime(String order, boolean folders) {
        List<String> expected = folders
                ? List.of("Beta.txt", "a.txt", "beta2.txt", "folder-b/", "folder/", "folder0", "z.txt")
                : List.of(
                        "Beta.txt",
                        "a.txt",
                        "beta2.txt",
                        "folder-b/x",
                        "folder/one.txt",
                        "folder/sub/deep.txt",
                        "folder/two.txt",
                        "folder0",
                        "z.txt");
        assertThat(visit("{\"with_delimiter\":" + folders
                        + ",\"limit\":2,\"sortBy\":{\"column\":\"created_at\",\"order\":\"" + order + "\"}"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void withoutADelimiterAllFilesOfAPrefixAreListed() {
        assertThat(visit("{\"prefix\":\"folder\",\"limit\":2"))
                .containsExactly("folder-b/x", "folder/one.txt", "folder/sub/deep.txt", "folder/two.txt", "folder0");
        assertThat(visit("{\"prefix\":\"folder/\",\"with_delimiter\":true,\"limit\":100"))
                .containsExactlyInAnyOrder("folder/sub/", "folder/one.txt", "folder/two.txt");
    }

    /** @param open a body without its last bracket */
    private static List<String> visit(String open) {
        List<String> visited = new ArrayList<>();
        String cursor = "";
        boolean more;
        do {
            Answer page = storage.call("one", "POST", "/object/list-v2/b", SERVICE, open + cursor + "}");
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            visited.addAll(names(page.json().path("folders")));
            visited.addAll(names(page.json().path("objects")));
            more = page.json().path("hasNext").asBoolean();
            cursor = ",\"cursor\":\"" + page.text("nextCursor") + "\"";
            assertThat(visited).hasSizeLessThan(50);
        } while (more);
        return visited;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"prefix\":1}",
                "{\"prefix\":\"\",\"limit\":0}",
                "{\"prefix\":\"\",\"limit\":100000}",
                "{\"prefix\":\"\",\"offset\":-1}",
                "{\"prefix\":\"\",\"sortBy\":{\"column\":\"name; DROP TABLE x\"}}",
                "{\"prefix\":\"\",\"sortBy\":{\"order\":\"up\"}}",
                "{\"prefix\":\"\\u0000\"}"
            })
    void otherBodiesAreRefused(String body) {
        assertThat(storage.call("one", "POST", "/object/list/b", SERVICE, body).status())
                .isEqualTo(400);
    }

    @Test
    void tenThousandFilesInAFolderAreListedAndDeleted() {
        storage.project("many");
        storage.bucket("many", "b", true);
        storage.projects()
                .asOperator("INSERT INTO "
                        + storage.tenant("many").names().storage().sql() + ".objects"
                        + " (bucket_id, name, version, metadata) SELECT 'b', 'd/' || n, gen_random_uuid(), '{\"size\": 1}'"
                        + " FROM generate_series(10001, 20000) n");
        Answer all = storage.call("many", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"d\",\"limit\":10000}");
        assertThat(names(all.json()))
                .hasSize(10_000)
                .isSorted()
                .startsWith("10001")
                .endsWith("20000");
        List<String> visited = new ArrayList<>();
        String cursor = "";
        for (boolean more = true; more; ) {
            Answer page = storage.call(
                    "many",
                    "POST",
                    "/object/list-v2/b",
                    SERVICE,
                    "{\"prefix\":\"d/\",\"with_delimiter\":true,\"limit\":1000" + cursor + "}");
            visited.addAll(names(page.json().path("objects")));
            more = page.json().path("hasNext").asBoolean();
            cursor = ",\"cursor\":\"" + page.text("nextCursor") + "\"";
        }
        assertThat(visited).hasSize(10_000).doesNotHaveDuplicates().isSorted();

        List<String> first = visited.subList(0, 1000);
        Answer gone = storage.call(
                "many", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"" + String.join("\",\"", first) + "\"]}");
        assertThat(names(gone.json())).containsExactlyInAnyOrderElementsOf(first);
        assertThat(storage.call("many", "POST", "/bucket/b/empty", SERVICE).status())
                .isEqualTo(200);
        assertThat(storage.named("many")).isEmpty();
        assertThat(storage.call("many", "DELETE", "/bucket/b", SERVICE).status())
                .isEqualTo(200);
    }

    @Test
    void metadataThatWouldFillTheHeapIsNotRead() {
        storage.project("heavy");
        storage.bucket("heavy", "b", true);
        storage.upload("heavy", "b/f", SERVICE, "x");
        String objects = storage.tenant("heavy").names().storage().sql() + ".objects";
        storage.projects()
                .asOperator("UPDATE " + objects
                        + " SET user_metadata = (SELECT jsonb_build_object('a', jsonb_agg('[]'::jsonb))"
                        + " FROM generate_series(1, 300000))");
        assertThat(storage.get("heavy", "/object/info/b/f", SERVICE).refusal())
                .startsWith("413 Payload too large: The metadata of these files");
        // A download does not ask for it.
        assertThat(storage.get("heavy", "/object/public/b/f", "").body()).isEqualTo("x");
        assertThat(storage.call("heavy", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"\"}")
                        .json())
                .hasSize(1);
        // Text is no structure.
        storage.projects()
                .asOperator(
                        "UPDATE " + objects + " SET user_metadata = jsonb_build_object('a', repeat('[\"', 300000))");
        assertThat(storage.get("heavy", "/object/info/b/f", SERVICE).status()).isEqualTo(200);
    }

    @Test
    void aCursorIsNoWayOut() {
        assertThat(storage.call("one", "POST", "/object/list-v2/b", SERVICE, "{\"cursor\":\"nonsense\"}")
                        .status())
                .isEqualTo(400);
        String other = java.util.Base64.getUrlEncoder()
                .encodeToString("{\"n\":\"\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(storage.call("one", "POST", "/object/list-v2/b", ALICE, "{\"cursor\":\"" + other + "\"}")
                        .json()
                        .path("objects"))
                .isEmpty();
    }
}
