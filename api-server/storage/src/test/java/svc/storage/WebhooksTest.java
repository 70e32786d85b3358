package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import svc.crds.project.service.StorageWebhookSpec;
import svc.embedded.slow.DrippingServer;
import svc.storage.webhook.WebhookDispatcher;

/** Addresses of a project hear of its files, at least once. */
class WebhooksTest extends WebhookFixture {
    private static String names(String from, String to) {
        return "{\"bucketId\":\"b\",\"sourceKey\":\"" + from + "\",\"destinationKey\":\"" + to + "\"}";
    }

    @Test
    void everyChangeIsReportedWithTheEventNamesOfS3() {
        serve(one, hook("all", receiver.url()));
        put(one, "b/a%20b.txt", "content-type", "text/plain");
        put(one, "b/a%20b.txt", "x-upsert", "true");
        storage.call(one, "POST", "/object/copy", SERVICE, names("a b.txt", "copy"));
        storage.call(one, "POST", "/object/move", SERVICE, names("copy", "moved"));
        storage.call(one, "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"moved\",\"a b.txt\"]}");

        await().until(() -> receiver.events().size() == 7);
        assertThat(receiver.events().subList(0, 5))
                .containsExactly(
                        "ObjectCreated:Put b/a+b.txt",
                        "ObjectCreated:Put b/a+b.txt",
                        "ObjectCreated:Copy b/copy",
                        "ObjectRemoved:Move b/copy",
                        "ObjectCreated:Move b/moved");
        assertThat(receiver.events().subList(5, 7))
                .containsExactlyInAnyOrder("ObjectRemoved:Delete b/moved", "ObjectRemoved:Delete b/a+b.txt");
        JsonNode first = receiver.calls().getFirst().json();
        assertThat(first.path("project").asText()).isEqualTo(one);
        JsonNode file = first.at("/Records/0/s3");
        assertThat(file.path("configurationId").asText()).isEqualTo("all");
        assertThat(file.at("/object/size").asInt()).isEqualTo(1);
        assertThat(file.at("/object/contentType").asText()).isEqualTo("text/plain");
        assertThat(file.at("/object/eTag").asText()).matches("[0-9a-f]{32}");
        await().untilAsserted(() ->
                assertThat(state(one).path(0).path("pending").asInt()).isZero());
    }

    @Test
    void callsAreSignedByStandardWebhooks() throws Exception {
        serve(one, hook("all", receiver.url()));
        put(one, "b/x");
        await().until(() -> receiver.calls().size() == 1);
        var call = receiver.calls().getFirst();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        String signed = call.headers().getFirst("webhook-id") + "."
                + call.headers().getFirst("webhook-timestamp") + "." + call.body();
        assertThat(call.headers().getFirst("webhook-signature"))
                .isEqualTo("v1,"
                        + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aWebhookHearsOfWhatItWants() {
        serve(
                one,
                hook("gone", receiver.url(), "ObjectRemoved:*"),
                new StorageWebhookSpec("put", other.url(), List.of("ObjectCreated:Put"), "b", "in/", SECRET));
        put(one, "b/in/x");
        put(one, "b/out/x");
        put(one, "c/in/x");
        storage.call(one, "POST", "/object/copy", SERVICE, names("in/x", "in/y"));
        storage.call(one, "DELETE", "/object/b/in/x", SERVICE);
        awaitEvents(receiver, "ObjectRemoved:Delete b/in%2Fx");
        awaitEvents(other, "ObjectCreated:Put b/in%2Fx");
        put(two, "b/in/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(two))).isEqualTo("0");
    }

    @Test
    void foldersUploadsInPartsAndS3AreReported() {
        serve(one, hook("all", receiver.url()));
        S3ForTests.withKeys(storage, one, S3ForTests.KEY_ID);
        try (var s3 = S3ForTests.client(storage, one)) {
            s3.putObject(request -> request.bucket("b").key("f/s3"), RequestBody.fromString("x"));
            s3.copyObject(request -> request.sourceBucket("b")
                    .sourceKey("f/s3")
                    .destinationBucket("b")
                    .destinationKey("f/s4"));
        }
        storage.call(one, "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"f\"],\"recursive\":true}");
        await().until(() -> receiver.events().size() == 4);
        assertThat(receiver.events().subList(0, 2))
                .containsExactly("ObjectCreated:Put b/f%2Fs3", "ObjectCreated:Copy b/f%2Fs4");
        assertThat(receiver.events().subList(2, 4))
                .containsExactlyInAnyOrder("ObjectRemoved:Delete b/f%2Fs3", "ObjectRemoved:Delete b/f%2Fs4");
    }

    @Test
    void anUploadInPartsIsOneEventAtItsEnd() {
        serve(one, hook("all", receiver.url()));
        TusClient tus = TusClient.of(storage, one, SERVICE);
        String upload = tus.begun("tus", 4);
        assertThat(tus.patch(upload, 0, new byte[2]).status()).isEqualTo(204);
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(one))).isEqualTo("0");
        assertThat(tus.patch(upload, 2, new byte[2]).status()).isEqualTo(204);
        awaitEvents(receiver, "ObjectCreated:CompleteMultipartUpload b/tus");
        S3ForTests.withKeys(storage, one, S3ForTests.KEY_ID);
        try (var s3 = S3ForTests.client(storage, one)) {
            String id = s3.createMultipartUpload(request -> request.bucket("b").key("s3"))
                    .uploadId();
            String etag = s3.uploadPart(
                            request ->
                                    request.bucket("b").key("s3").uploadId(id).partNumber(1),
                            RequestBody.fromString("x"))
                    .eTag();
            s3.completeMultipartUpload(request -> request.bucket("b")
                    .key("s3")
                    .uploadId(id)
                    .multipartUpload(all -> all.parts(
                            CompletedPart.builder().partNumber(1).eTag(etag).build())));
        }
        await().untilAsserted(() -> assertThat(receiver.events())
                .containsExactly(
                        "ObjectCreated:CompleteMultipartUpload b/tus", "ObjectCreated:CompleteMultipartUpload b/s3"));
    }

    @Test
    void aRefusedChangeIsNotReported() {
        serve(one, hook("all", receiver.url()));
        assertThat(storage.upload(one, "c/x", ALICE, "x").status()).isEqualTo(400);
        assertThat(storage.upload(one, "nowhere/x", SERVICE, "x").status()).isEqualTo(400);
        storage.policy(one, "FOR INSERT WITH CHECK (true)");
        assertThat(storage.upload(one, "c/y", ALICE, "x").status()).isEqualTo(200);
        awaitEvents(receiver, "ObjectCreated:Put c/y");
        JsonNode file = receiver.calls().getFirst().json().at("/Records/0");
        assertThat(file.at("/userIdentity/principalId").asText()).isEqualTo(ALICE);
    }

    @Test
    void whatFailsIsSentAgainUnderTheSameId() {
        receiver.answers(500, Map.of());
        serve(one, hook("all", receiver.url()));
        put(one, "b/x");
        await().until(() -> state(one).path(0).path("error").asText().equals("it answered 500"));
        // Its turn has not come: a further event is no reason to call it again.
        put(one, "b/y");
        storage.webhooks().retry();
        assertThat(receiver.calls()).hasSize(1);

        receiver.answers(200, Map.of());
        passBackoff(one);
        await().untilAsserted(() -> assertThat(receiver.events()).contains("ObjectCreated:Put b/y"));
        var ids = receiver.calls().stream()
                .map(call -> call.headers().getFirst("webhook-id"))
                .toList();
        assertThat(receiver.calls().get(1).json().path("Records").path(0))
                .isEqualTo(receiver.calls().get(0).json().path("Records").path(0));
        assertThat(ids).doesNotContainNull();
        await().untilAsserted(() ->
                assertThat(state(one).path(0).path("pending").asInt()).isZero());
    }

    @Test
    void aReceiverThatDripsIsCutOffAndTheNeighboursEventArrivesMeanwhile() {
        try (var dripping = DrippingServer.start("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")) {
            serve(one, hook("slow", dripping.url()));
            serve(two, hook("all", receiver.url()));
            put(one, "b/x");
            await().until(() -> dripping.open() == 1);
            put(two, "b/y");
            awaitEvents(receiver, "ObjectCreated:Put b/y");
            await().until(() -> dripping.accepted() == 1 && dripping.open() == 0);
            assertThat(state(one).path(0).path("pending").asInt()).isEqualTo(1);
        }
    }

    @Test
    void anInstanceThatEndsLeavesItsEventsToAnother() {
        put(one, "b/before");
        serve(one, hook("all", receiver.url()));
        storage.projects()
                .asOperator("INSERT INTO " + table(one) + " (webhook, event, attempts, next_at) VALUES ('all',"
                        + " '{\"event\":\"ObjectCreated:Put\",\"bucket\":\"b\",\"name\":\"left\"}', 1,"
                        + " now() + interval '30 seconds')");
        WebhookDispatcher another = storage.dispatcher();
        another.recover(storage.tenant(one));
        assertThat(receiver.calls()).isEmpty();
        storage.projects().asOperator("UPDATE " + table(one) + " SET next_at = now()");
        another.recover(storage.tenant(one));
        awaitEvents(receiver, "ObjectCreated:Put b/left");
    }

    @Test
    void aWebhookThatIsRemovedIsForgotten() {
        receiver.answers(500, Map.of());
        serve(one, hook("old", receiver.url()));
        put(one, "b/x");
        await().until(() -> state(one).path(0).has("error"));
        serve(one, hook("new", other.url()));
        storage.webhooks().recover(storage.tenant(one));
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table(one))).isEqualTo("0");
    }
}
