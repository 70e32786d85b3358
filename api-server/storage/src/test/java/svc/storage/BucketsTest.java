package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Buckets are made, listed, changed and deleted as the caller's policies allow. */
class BucketsTest {
    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.project("two");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    @Test
    void aBucketIsMadeReadChangedAndDeleted() {
        Answer made = storage.call(
                "one",
                "POST",
                "/bucket",
                SERVICE,
                "{\"name\":\"photos\",\"public\":true,\"file_size_limit\":\"2MB\",\"allowed_mime_types\":[\"image/*\"]}");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        assertThat(made.body()).isEqualTo("{\"name\":\"photos\"}");

        Answer read = storage.get("one", "/bucket/photos", SERVICE);
        assertThat(read.text("id")).isEqualTo("photos");
        assertThat(read.json().path("public").asBoolean()).isTrue();
        assertThat(read.json().path("file_size_limit").asLong()).isEqualTo(2_000_000);
        assertThat(read.json().path("allowed_mime_types").toString()).isEqualTo("[\"image/*\"]");
        assertThat(read.text("created_at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");

        Answer changed =
                storage.call("one", "PUT", "/bucket/photos", SERVICE, "{\"public\":false,\"file_size_limit\":null}");
        assertThat(changed.text("message")).isEqualTo("Successfully updated");
        read = storage.get("one", "/bucket/photos", SERVICE);
        assertThat(read.json().path("public").asBoolean()).isFalse();
        assertThat(read.json().path("file_size_limit").isNull()).isTrue();
        assertThat(read.json().path("allowed_mime_types").toString()).isEqualTo("[\"image/*\"]");

        assertThat(storage.call("one", "DELETE", "/bucket/photos", SERVICE).text("message"))
                .isEqualTo("Successfully deleted");
        assertThat(storage.get("one", "/bucket/photos", SERVICE).refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        assertThat(storage.call("one", "DELETE", "/bucket/photos", SERVICE).refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        assertThat(storage.call("one", "PUT", "/bucket/photos", SERVICE, "{\"public\":true}")
                        .refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
    }

    @Test
    void aNameIsTakenOncePerProject() {
        storage.bucket("one", "same", false);
        storage.bucket("two", "same", true);

        Answer again = storage.call("one", "POST", "/bucket", SERVICE, "{\"name\":\"same\"}");
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.refusal()).isEqualTo("409 Duplicate: The resource already exists");
        assertThat(storage.get("one", "/bucket/same", SERVICE)
                        .json()
                        .path("public")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void listsAreSortedSearchedAndPaged() {
        storage.project("lists");
        for (String name : new String[] {"b", "a", "c", "other"}) {
            storage.bucket("lists", name, false);
        }
        assertThat(names(storage.get("lists", "/bucket", SERVICE))).containsExactly("a", "b", "c", "other");
        assertThat(names(storage.get("lists", "/bucket?sortColumn=name&sortOrder=desc&limit=2&offset=1", SERVICE)))
                .containsExactly("c", "b");
        assertThat(names(storage.get("lists", "/bucket?search=OTH", SERVICE))).containsExactly("other");
        assertThat(storage.get("lists", "/bucket?sortColumn=secret", SERVICE).status())
                .isEqualTo(400);
    }

    private static Iterable<String> names(Answer answer) {
        return StreamSupport.stream(answer.json().spliterator(), false)
                .map(bucket -> bucket.path("name").asText())
                .toList();
    }

    @Test
    void callersWithoutAPolicySeeAndChangeNothing() {
        storage.bucket("one", "closed", true);

        assertThat(storage.get("one", "/bucket", ALICE).body()).isEqualTo("[]");
        assertThat(storage.get("one", "/bucket/closed", "").refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        Answer refused = storage.call("one", "POST", "/bucket", ALICE, "{\"name\":\"mine\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.refusal()).isEqualTo("403 Unauthorized: new row violates row-level security policy");
        assertThat(storage.call("one", "DELETE", "/bucket/closed", ALICE).refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        assertThat(storage.call("one", "POST", "/bucket/closed/empty", ALICE).status())
                .isEqualTo(403);
        assertThat(storage.get("one", "/bucket/closed", SERVICE).status()).isEqualTo(200);
    }

    @Test
    void aBucketWithFilesIsDeletedOnceItIsEmptied() {
        storage.bucket("one", "full", false);
        for (int i = 0; i < 3; i++) {
            assertThat(storage.upload("one", "full/f" + i, SERVICE, "text").status())
                    .isEqualTo(200);
        }
        assertThat(storage.call("one", "DELETE", "/bucket/full", SERVICE).refusal())
                .isEqualTo("409 ResourceNotEmpty: The bucket you tried to delete is not empty");

        assertThat(storage.call("one", "POST", "/bucket/full/empty", SERVICE).text("message"))
                .startsWith("Empty bucket has been queued");
        assertThat(storage.call("one", "DELETE", "/bucket/full", SERVICE).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a/b", "ä", "a\\u0000", ".", "..", "a%b"})
    void otherNamesAreRefused(String name) {
        Answer refused = storage.call("one", "POST", "/bucket", SERVICE, "{\"name\":\"" + name + "\"}");
        assertThat(refused.refusal()).isEqualTo("400 Invalid Input: Bucket name invalid");
    }

    /** Units of the International System, as upstream has them, and those of IEC 80000-13. */
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "3b, 3",
        "30KB, 30000",
        "1.5MB, 1500000",
        "0.05 gb, 50000000",
        "1KiB, 1024",
        "2 mib, 2097152",
        "7k, 7000"
    })
    void theLimitOfABucketMayHaveAUnit(String size, long bytes) {
        storage.call("one", "POST", "/bucket", SERVICE, "{\"name\":\"unit\"}");
        assertThat(storage.call("one", "PUT", "/bucket/unit", SERVICE, "{\"file_size_limit\":\"" + size + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/bucket/unit", SERVICE)
                        .json()
                        .path("file_size_limit")
                        .asLong())
                .isEqualTo(bytes);
    }

    @Test
    void aFlagMayBeWrittenAsText() {
        assertThat(storage.call("one", "POST", "/bucket", SERVICE, "{\"name\":\"texts\",\"public\":\"true\"}")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/bucket/texts", SERVICE)
                        .json()
                        .path("public")
                        .asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | body must have required property 'name'",
                "[] | body must be object",
                "nonsense | Body is not valid JSON",
                "{\"name\":1} | body/name must be string",
                "{\"name\":\"x\",\"public\":\"yes\"} | body/public must be boolean",
                "{\"name\":\"x\",\"file_size_limit\":\"large\"} | body/file_size_limit must be a size in bytes,"
                        + " such as 1048576 or \"1MB\"",
                "{\"name\":\"x\",\"allowed_mime_types\":[\"image\"]} | mime type image is not supported",
                "{\"name\":\"x\",\"file_size_limit\":\"53MB\"} | The object exceeded the maximum allowed size"
            })
    void otherBodiesAreRefused(String body, String message) {
        Answer refused = storage.call("one", "POST", "/bucket", SERVICE, body.strip());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("message")).isEqualTo(message.strip());
    }
}
