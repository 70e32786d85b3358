package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;

/** A signed URL opens one file of one project for a time, and nothing else. */
class SignaturesTest {
    private static final String FORGED = "400 InvalidJWT: signature verification failed";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : new String[] {"one", "two"}) {
            storage.project(ref);
            storage.bucket(ref, "b", false);
            storage.upload(ref, "b/f.txt", SERVICE, "of " + ref);
            storage.upload(ref, "b/g.txt", SERVICE, "other");
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static String sign(String ref, String path, int seconds) {
        Answer made = storage.call(ref, "POST", "/object/sign/" + path, SERVICE, "{\"expiresIn\":" + seconds + "}");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        return made.text("signedURL");
    }

    @Test
    void aSignedUrlIsReadWithoutAKey() {
        String url = sign("one", "b/f.txt", 60);
        assertThat(url).startsWith("/object/sign/b/f.txt?token=");
        Answer read = storage.get("one", url + "&download=x.txt", "");
        assertThat(read.body()).isEqualTo("of one");
        assertThat(read.header("content-disposition")).startsWith("attachment; filename=\"x.txt\";");
        assertThat(read.header("expires")).endsWith("GMT");
        assertThat(storage.call("one", "HEAD", url, "").status()).isEqualTo(200);
    }

    @Test
    void itEnds() {
        String url = sign("one", "b/f.txt", 60);
        storage.pass(Duration.ofSeconds(61));
        assertThat(storage.get("one", url, "").refusal())
                .isEqualTo("400 InvalidJWT: \"exp\" claim timestamp check failed");
    }

    @Test
    void itOpensNothingElse() {
        String token = sign("one", "b/f.txt", 60).split("token=")[1];
        assertThat(storage.get("one", "/object/sign/b/g.txt?token=" + token, "").refusal())
                .isEqualTo("400 InvalidSignature: Invalid signature");
        assertThat(storage.get("two", "/object/sign/b/f.txt?token=" + token, "").refusal())
                .isEqualTo(FORGED);
        assertThat(storage.send(
                                "one",
                                "PUT",
                                "/object/upload/sign/b/f.txt?token=" + token,
                                "",
                                BodyPublishers.ofString("x"))
                        .refusal())
                .isEqualTo("400 InvalidSignature: Invalid signature");
        String[] parts = token.split("\\.");
        String none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        for (String forged : new String[] {
            none + "." + parts[1] + ".",
            parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()),
            "x",
            "",
            "a.b.c",
            "x".repeat(3_000)
        }) {
            Answer refused = storage.get("one", "/object/sign/b/f.txt?token=" + forged, "");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("error")).isEqualTo("InvalidJWT");
        }
        assertThat(storage.get("one", "/object/sign/b/f.txt", "").status()).isEqualTo(400);
    }

    @Test
    void onlyWhatTheCallerReadsIsSigned() {
        String body = "{\"expiresIn\":60}";
        assertThat(storage.call("one", "POST", "/object/sign/b/f.txt", ALICE, body)
                        .refusal())
                .isEqualTo("404 not_found: Object not found");
        assertThat(storage.call("one", "POST", "/object/sign/b/none", SERVICE, body)
                        .refusal())
                .isEqualTo("404 not_found: Object not found");
        assertThat(storage.call("one", "POST", "/object/sign/b/f.txt", SERVICE, "{\"expiresIn\":0}")
                        .status())
                .isEqualTo(400);
    }

    /** As supabase-py sends it, and as storage-api's validator takes it. */
    @Test
    void aNumberMayBeWrittenAsText() {
        Answer one = storage.call("one", "POST", "/object/sign/b/f.txt", SERVICE, "{\"expiresIn\":\"60\"}");
        assertThat(storage.get("one", one.text("signedURL"), "").body()).isEqualTo("of one");
        assertThat(storage.call(
                                "one",
                                "POST",
                                "/object/sign/b",
                                SERVICE,
                                "{\"expiresIn\":\"60\",\"paths\":[\"f.txt\"]}")
                        .status())
                .isEqualTo(200);
        for (String wrong : new String[] {"", "a", "1.5", "--1", "0x10", "٣", "60s"}) {
            assertThat(storage.call("one", "POST", "/object/sign/b/f.txt", SERVICE, "{\"expiresIn\":\"" + wrong + "\"}")
                            .text("message"))
                    .as(wrong)
                    .isEqualTo("body/expiresIn must be integer");
        }
        assertThat(storage.call("one", "POST", "/object/sign/b/f.txt", SERVICE, "{\"expiresIn\":\"-1\"}")
                        .text("message"))
                .isEqualTo("body/expiresIn must be >= 1");
    }

    @Test
    void manyAreSignedInTheirOrder() {
        Answer made = storage.call(
                "one",
                "POST",
                "/object/sign/b",
                SERVICE,
                "{\"expiresIn\":60,\"paths\":[\"g.txt\",\"none\",\"f.txt\"]}");
        assertThat(made.json()).hasSize(3);
        assertThat(made.json().get(0).path("path").asText()).isEqualTo("g.txt");
        assertThat(made.json().get(1).path("error").asText())
                .isEqualTo("Either the object does not exist or you do not have access to it");
        assertThat(made.json().get(1).path("signedURL").isNull()).isTrue();
        assertThat(storage.get("one", made.json().get(2).path("signedURL").asText(), "")
                        .body())
                .isEqualTo("of one");
        assertThat(storage.call("one", "POST", "/object/sign/b", SERVICE, "{\"expiresIn\":60,\"paths\":[]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aSignedUploadNeedsNoKeyAndBelongsToItsSigner() {
        storage.policy("one", "FOR INSERT TO PUBLIC WITH CHECK (AUTH.uid() IS NOT NULL)");
        assertThat(storage.call("one", "POST", "/object/upload/sign/b/up.txt", "")
                        .refusal())
                .startsWith("403 Unauthorized");
        Answer made = storage.call("one", "POST", "/object/upload/sign/b/up.txt", ALICE);
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        String url = made.text("url");
        assertThat(url).isEqualTo("/object/upload/sign/b/up.txt?token=" + made.text("token"));

        Answer put = storage.send("one", "PUT", url, "", BodyPublishers.ofString("mine"));
        assertThat(put.body()).isEqualTo("{\"Key\":\"b/up.txt\"}");
        assertThat(storage.get("one", "/object/b/up.txt", SERVICE).body()).isEqualTo("mine");
        assertThat(storage.projects()
                        .ask("SELECT owner_id FROM "
                                + storage.tenant("one").names().storage().sql()
                                + ".objects WHERE name = 'up.txt'"))
                .isEqualTo(ALICE);
        assertThat(storage.send("one", "PUT", url, "", BodyPublishers.ofString("again"))
                        .refusal())
                .isEqualTo("409 Duplicate: The resource already exists");
        assertThat(storage.send("two", "PUT", url, "", BodyPublishers.ofString("x"))
                        .refusal())
                .isEqualTo(FORGED);
        assertThat(storage.get("one", "/object/sign/b/up.txt?token=" + made.text("token"), "")
                        .refusal())
                .isEqualTo("400 InvalidSignature: Invalid signature");
    }
}
