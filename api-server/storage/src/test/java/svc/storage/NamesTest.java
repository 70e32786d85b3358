package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.storage.StorageHttp.Answer;

/** Whichever call names a file, the rule of names is the same, and two spellings that look the same are one name. */
class NamesTest {
    /** The u with two dots, in one character and in two. */
    private static final String COMPOSED = "\u00fc";

    private static final String DECOMPOSED = "u\u0308";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", true);
        storage.upload("one", "b/f", SERVICE, "x");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    static List<String> badNames() {
        return List.of(
                "../f",
                "a/../f",
                "a/..",
                ".",
                "a/./b",
                "a//b",
                "/a",
                "a/",
                "a\0b",
                "a\nb",
                "a\u200bb",
                "a\u202eb",
                "a\\b",
                "a%b",
                "a#b",
                "a".repeat(1_025),
                COMPOSED.repeat(513),
                "a" + "\u0301".repeat(31),
                "\ud83d\ude00".repeat(257));
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void noCallMakesAFileOfABadName(String name) {
        String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        String json = JsonNodeFactory.instance.textNode(name).toString();
        String into = "{\"bucketId\":\"b\",\"sourceKey\":\"f\",\"destinationKey\":" + json + "}";
        for (Answer refused : new Answer[] {
            storage.upload("one", "b/" + path, SERVICE, "x"),
            storage.send("one", "PUT", "/object/b/" + path, SERVICE, BodyPublishers.ofString("x")),
            storage.call("one", "POST", "/object/upload/sign/b/" + path, SERVICE, "{}"),
            storage.send("one", "PUT", "/object/upload/sign/b/" + path + "?token=x", "", BodyPublishers.ofString("x")),
            storage.call("one", "POST", "/object/move", SERVICE, into),
            storage.call("one", "POST", "/object/copy", SERVICE, into)
        }) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("error")).isEqualTo("InvalidKey");
        }
        assertThat(storage.named("one")).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void noCallFindsAFileOfABadName(String name) {
        String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        String json = JsonNodeFactory.instance.textNode(name).toString();
        for (Answer refused : new Answer[] {
            storage.get("one", "/object/public/b/" + path, ""),
            storage.get("one", "/object/info/b/" + path, SERVICE),
            storage.call("one", "POST", "/object/sign/b/" + path, SERVICE, "{\"expiresIn\":60}"),
            storage.call("one", "DELETE", "/object/b/" + path, SERVICE),
            storage.call(
                    "one",
                    "POST",
                    "/object/move",
                    SERVICE,
                    "{\"bucketId\":\"b\",\"sourceKey\":" + json + ",\"destinationKey\":\"x\"}")
        }) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        }
        Answer gone = storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[" + json + "]}");
        assertThat(gone.body())
                .satisfiesAnyOf(
                        body -> assertThat(body).isEqualTo("[]"),
                        body -> assertThat(gone.status()).isEqualTo(400));
    }

    @Test
    void everyCallFindsAFileByEitherSpelling() {
        String one = URLEncoder.encode(COMPOSED, StandardCharsets.UTF_8);
        String other = URLEncoder.encode(DECOMPOSED, StandardCharsets.UTF_8);
        storage.upload("one", "b/" + other + "/1", SERVICE, "x");
        for (String spelling : new String[] {one, other}) {
            assertThat(storage.get("one", "/object/public/b/" + spelling + "/1", "")
                            .body())
                    .isEqualTo("x");
            assertThat(storage.get("one", "/object/info/b/" + spelling + "/1", SERVICE)
                            .text("name"))
                    .isEqualTo(COMPOSED + "/1");
        }
        String decomposed = "\"" + DECOMPOSED + "/1\"";
        assertThat(storage.call("one", "POST", "/object/list/b", SERVICE, "{\"prefix\":\"" + DECOMPOSED + "\"}")
                        .json())
                .hasSize(1);
        Answer signed = storage.call(
                "one", "POST", "/object/sign/b", SERVICE, "{\"expiresIn\":60,\"paths\":[" + decomposed + "]}");
        assertThat(signed.json().get(0).path("path").asText()).isEqualTo(DECOMPOSED + "/1");
        assertThat(signed.json().get(0).path("error").isNull()).isTrue();
        assertThat(storage.call(
                                "one",
                                "POST",
                                "/object/copy",
                                SERVICE,
                                "{\"bucketId\":\"b\",\"sourceKey\":" + decomposed + ",\"destinationKey\":\"" + COMPOSED
                                        + "/2\"}")
                        .status())
                .isEqualTo(200);
        assertThat(storage.call(
                                "one",
                                "POST",
                                "/object/move",
                                SERVICE,
                                "{\"bucketId\":\"b\",\"sourceKey\":" + decomposed + ",\"destinationKey\":\""
                                        + DECOMPOSED + "/2\"}")
                        .refusal())
                .startsWith("409 Duplicate");
        assertThat(storage.call(
                                "one",
                                "DELETE",
                                "/object/b",
                                SERVICE,
                                "{\"prefixes\":[" + decomposed + ",\"" + DECOMPOSED + "/2\"]}")
                        .json())
                .hasSize(2);
    }
}
