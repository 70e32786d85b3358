package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.ActiveSecret;
import svc.crds.project.service.StorageWebhookSpec;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;
import svc.storage.rows.EventRows;
import svc.storage.webhook.WebhookDispatcher;

/** Addresses of a project hear of its files, at least once, and what they do with that is no one else's trouble. */
class WebhooksTest {
    private static final SecretKeyReference SECRET = new SecretKeyReference("hooks", "storage");
    private static final byte[] KEY = "a key of 24 or more bytes".getBytes(StandardCharsets.UTF_8);

    private StorageForTests storage;
    private WebhookReceiver receiver;
    private WebhookReceiver other;

    @BeforeEach
    void start() {
        storage = new StorageForTests();
        receiver = new WebhookReceiver();
        other = new WebhookReceiver();
        for (String ref : List.of("one", "two")) {
            storage.project(ref);
            storage.bucket(ref, "b", true);
            storage.bucket(ref, "c", false);
        }
    }

    @AfterEach
    void stop() {
        storage.close();
        receiver.close();
        other.close();
    }

    private static StorageWebhookSpec hook(String name, String url, String... events) {
        return new StorageWebhookSpec(name, url, List.of(events), null, null, SECRET);
    }

    private void serve(String ref, StorageWebhookSpec... webhooks) {
        Tenant tenant = storage.tenant(ref);
        var leaf = storage.projects()
                .purposeRoots()
                .require(Purpose.SEALED, 1)
                .leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION));
        String secret = "v1,whsec_" + Base64.getEncoder().encodeToString(KEY);
        storage.serve(tenant.withAuthSecrets(List.of(new ActiveSecret(
                        SECRET.name(), SECRET.key(), SealedText.seal(leaf, SealedText.Use.AUTH_SECRET, secret))))
                .withStorage(tenant.storage().withWebhooks(List.of(webhooks))));
    }

    private void put(String ref, String path, String... headers) {
        assertThat(storage.upload(ref, path, SERVICE, "x", headers).status()).isEqualTo(200);
    }

    private String table(String ref) {
        return storage.tenant(ref).names().storage().sql() + ".object_events";
    }

    private JsonNode state(String ref) {
        return storage.get(ref, "/webhooks", SERVICE).json();
    }

    private void awaitEvents(WebhookReceiver at, String... events) {
        await().untilAsserted(() -> assertThat(at.events()).containsExactly(events));
        await().until(() -> storage.idle());
    }

    /** The next attempt is due now, for the database and for this process. */
    private void passBackoff(String ref) {
        storage.projects().asOperator("UPDATE " + table(ref) + " SET next_at = now() - interval '1 second'");
        storage.pass(Duration.ofHours(1));
        storage.webhooks().retry();
    }

    @Test
    void everyChangeIsToldInTheWordsOfS3() {
        serve("one", hook("all", receiver.url()));
        put("one", "b/a%20b.txt", "content-type", "text/plain");
        put("one", "b/a%20b.txt", "x-upsert", "true");
        storage.call("one", "POST", "/object/copy", SERVICE, names("a b.txt", "copy"));
        storage.call("one", "POST", "/object/move", SERVICE, names("copy", "moved"));
        storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"moved\",\"a b.txt\"]}");

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
        assertThat(first.path("project").asText()).isEqualTo("one");
        JsonNode file = first.at("/Records/0/s3");
        assertThat(file.path("configurationId").asText()).isEqualTo("all");
        assertThat(file.at("/object/size").asInt()).isEqualTo(1);
        assertThat(file.at("/object/contentType").asText()).isEqualTo("text/plain");
        assertThat(file.at("/object/eTag").asText()).matches("[0-9a-f]{32}");
        await().untilAsserted(() ->
                assertThat(state("one").path(0).path("pending").asInt()).isZero());
    }

    private static String names(String from, String to) {
        return "{\"bucketId\":\"b\",\"sourceKey\":\"" + from + "\",\"destinationKey\":\"" + to + "\"}";
    }

    @Test
    void callsAreSignedByStandardWebhooks() throws Exception {
        serve("one", hook("all", receiver.url()));
        put("one", "b/x");
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
                "one",
                hook("gone", receiver.url(), "ObjectRemoved:*"),
                new StorageWebhookSpec("put", other.url(), List.of("ObjectCreated:Put"), "b", "in/", SECRET));
        put("one", "b/in/x");
        put("one", "b/out/x");
        put("one", "c/in/x");
        storage.call("one", "POST", "/object/copy", SERVICE, names("in/x", "in/y"));
        storage.call("one", "DELETE", "/object/b/in/x", SERVICE);
        awaitEvents(receiver, "ObjectRemoved:Delete b/in%2Fx");
        awaitEvents(other, "ObjectCreated:Put b/in%2Fx");
        put("two", "b/in/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table("two")))
                .isEqualTo("0");
    }

    @Test
    void foldersUploadsInPartsAndS3AreTold() {
        serve("one", hook("all", receiver.url()));
        S3ForTests.withKeys(storage, "one", S3ForTests.KEY_ID);
        try (var s3 = S3ForTests.client(storage, "one")) {
            s3.putObject(
                    request -> request.bucket("b").key("f/s3"),
                    software.amazon.awssdk.core.sync.RequestBody.fromString("x"));
            s3.copyObject(request -> request.sourceBucket("b")
                    .sourceKey("f/s3")
                    .destinationBucket("b")
                    .destinationKey("f/s4"));
        }
        storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"f\"],\"recursive\":true}");
        await().until(() -> receiver.events().size() == 4);
        assertThat(receiver.events().subList(0, 2))
                .containsExactly("ObjectCreated:Put b/f%2Fs3", "ObjectCreated:Copy b/f%2Fs4");
        assertThat(receiver.events().subList(2, 4))
                .containsExactlyInAnyOrder("ObjectRemoved:Delete b/f%2Fs3", "ObjectRemoved:Delete b/f%2Fs4");
    }

    @Test
    void whatIsRefusedIsNotTold() {
        serve("one", hook("all", receiver.url()));
        assertThat(storage.upload("one", "c/x", ALICE, "x").status()).isEqualTo(400);
        assertThat(storage.upload("one", "nowhere/x", SERVICE, "x").status()).isEqualTo(400);
        storage.policy("one", "FOR INSERT WITH CHECK (true)");
        assertThat(storage.upload("one", "c/y", ALICE, "x").status()).isEqualTo(200);
        awaitEvents(receiver, "ObjectCreated:Put c/y");
        JsonNode file = receiver.calls().getFirst().json().at("/Records/0");
        assertThat(file.at("/userIdentity/principalId").asText()).isEqualTo(ALICE);
    }

    @Test
    void whatFailsIsSentAgainUnderTheSameId() {
        receiver.answers(500, Map.of());
        serve("one", hook("all", receiver.url()));
        put("one", "b/x");
        await().until(() -> state("one").path(0).path("error").asText().equals("it answered 500"));
        // Its turn has not come: a further event is no reason to call it again.
        put("one", "b/y");
        storage.webhooks().retry();
        assertThat(receiver.calls()).hasSize(1);

        receiver.answers(200, Map.of());
        passBackoff("one");
        await().untilAsserted(() -> assertThat(receiver.events()).contains("ObjectCreated:Put b/y"));
        var ids = receiver.calls().stream()
                .map(call -> call.headers().getFirst("webhook-id"))
                .toList();
        assertThat(receiver.calls().get(1).json().path("Records").path(0))
                .isEqualTo(receiver.calls().get(0).json().path("Records").path(0));
        assertThat(ids).doesNotContainNull();
        await().untilAsserted(() ->
                assertThat(state("one").path(0).path("pending").asInt()).isZero());
    }

    @Test
    void anInstanceThatEndsLeavesItsEventsToAnother() {
        put("one", "b/before");
        serve("one", hook("all", receiver.url()));
        storage.projects()
                .asOperator("INSERT INTO " + table("one") + " (webhook, event, attempts, next_at) VALUES ('all',"
                        + " '{\"event\":\"ObjectCreated:Put\",\"bucket\":\"b\",\"name\":\"left\"}', 1,"
                        + " now() + interval '30 seconds')");
        WebhookDispatcher another = storage.dispatcher();
        another.recover(storage.tenant("one"));
        assertThat(receiver.calls()).isEmpty();
        storage.projects().asOperator("UPDATE " + table("one") + " SET next_at = now()");
        another.recover(storage.tenant("one"));
        awaitEvents(receiver, "ObjectCreated:Put b/left");
    }

    @Test
    void aReceiverThatIsSilentHoldsUpNobody() {
        receiver.isSilent();
        serve("one", hook("silent", receiver.url()), hook("well", other.url()));
        serve("two", hook("silent", receiver.url()), hook("well", other.url()));
        put("one", "b/x");
        put("two", "b/x");
        awaitEvents(other, "ObjectCreated:Put b/x", "ObjectCreated:Put b/x");
        put("one", "b/y");
        await().untilAsserted(() -> assertThat(other.events()).hasSize(3));
        await().until(() -> state("one").path(0).path("error").asText().contains("longer than"));
        assertThat(state("one").path(0).path("pending").asInt()).isEqualTo(2);
        assertThat(state("one").path(1).path("pending").asInt()).isZero();
    }

    @Test
    void aRedirectIsNotFollowed() {
        receiver.answers(307, Map.of("Location", other.url()));
        serve("one", hook("all", receiver.url()));
        put("one", "b/x");
        await().until(() -> state("one").path(0).path("error").asText().equals("it answered 307"));
        assertThat(other.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://[::1]:6379/",
                "http://[::ffff:10.0.0.1]/",
                "http://0x0a.0.0.1/",
                "http://user@127.0.0.1/",
            })
    void anAddressInsideIsNotCalled(String url) {
        serve("one", hook("inside", url), hook("well", other.url()));
        put("one", "b/x");
        awaitEvents(other, "ObjectCreated:Put b/x");
        await().until(() -> state("one").path(0).has("error"));
        assertThat(state("one").path(0).path("pending").asInt()).isEqualTo(1);
    }

    @Test
    void withoutItsSecretNothingIsSent() {
        serve("one", hook("all", receiver.url()));
        storage.serve(storage.tenant("one").withAuthSecrets(List.of()));
        put("one", "b/x");
        await().until(() -> state("one").path(0).path("error").asText().contains("there is no Secret hooks/storage"));
        assertThat(receiver.calls()).isEmpty();
    }

    /** Also of another project, whose seal does not fit. */
    @Test
    void aSecretOfAnotherProjectDoesNotSign() {
        serve("two", hook("all", receiver.url()));
        var foreign = storage.tenant("two").authSecrets();
        serve("one", hook("all", receiver.url()));
        storage.serve(storage.tenant("one").withAuthSecrets(foreign));
        put("one", "b/x");
        await().until(() -> state("one").path(0).has("error"));
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void theQueueIsBoundedInNumberAndAge() {
        receiver.answers(503, Map.of("Retry-After", "600"));
        serve("one", hook("all", receiver.url()));
        storage.projects()
                .asOperator("INSERT INTO " + table("one") + " (webhook, event, created_at, next_at) SELECT 'all',"
                        + " '{\"event\":\"ObjectCreated:Put\",\"bucket\":\"b\",\"name\":\"n\"}',"
                        + " now() - n * interval '1 millisecond', now() + interval '1 hour'"
                        + " FROM generate_series(1, " + (EventRows.MAX_WAITING + 500) + ") n");
        storage.webhooks().recover(storage.tenant("one"));
        assertThat(state("one").path(0).path("pending").asInt()).isEqualTo(EventRows.MAX_WAITING);
        storage.projects().asOperator("UPDATE " + table("one") + " SET created_at = now() - interval '25 hours'");
        storage.webhooks().recover(storage.tenant("one"));
        assertThat(state("one").path(0).path("pending").asInt()).isZero();
    }

    @Test
    void aWebhookThatIsRemovedIsForgotten() {
        receiver.answers(500, Map.of());
        serve("one", hook("old", receiver.url()));
        put("one", "b/x");
        await().until(() -> state("one").path(0).has("error"));
        serve("one", hook("new", other.url()));
        storage.webhooks().recover(storage.tenant("one"));
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table("one")))
                .isEqualTo("0");
    }

    @Test
    void onlyTheServiceRoleSeesThem() {
        serve("one", hook("all", receiver.url()));
        for (String bearer : List.of("", ALICE)) {
            assertThat(storage.get("one", "/webhooks", bearer).status()).isEqualTo(403);
        }
        assertThat(state("two")).isEmpty();
        assertThat(state("one").path(0).path("name").asText()).isEqualTo("all");
    }

    @Test
    void sqlOfTheTenantReachesNeitherTheQueueNorTheTrigger() {
        var names = storage.tenant("one").names();
        for (DatabaseRole role :
                List.of(DatabaseRole.OWNER, DatabaseRole.ANON, DatabaseRole.AUTHENTICATED, DatabaseRole.SERVICE)) {
            for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE", "TRIGGER", "REFERENCES", "TRUNCATE")) {
                assertThat(storage.projects()
                                .ask("SELECT has_table_privilege('"
                                        + names.role(role).name() + "', '" + table("one") + "', '" + right + "')"))
                        .as(role + " " + right)
                        .isEqualTo("f");
            }
            assertThat(storage.projects()
                            .ask("SELECT has_function_privilege('"
                                    + names.role(role).name()
                                    + "', 'svc_functions.storage_queue_events()', 'EXECUTE')"))
                    .isEqualTo("f");
        }
    }

    /** A trigger of the tenant's can set what the service sets; it gets events of its own project, and few. */
    @Test
    void aForgedSettingQueuesLittleAndOnlyForItsProject() {
        List<String> forged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            forged.add("{\"name\":\"w" + i + "\",\"events\":[\"ObjectCreated:*\"]}");
        }
        String objects = storage.tenant("one").names().storage().sql() + ".objects";
        storage.projects()
                .asOwner(
                        storage.tenant("one"),
                        "CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                                + " PERFORM set_config('storage.webhooks', '[" + String.join(",", forged)
                                + "]', true); RETURN NEW; END $$");
        storage.projects()
                .asOperator("CREATE TRIGGER forge BEFORE INSERT ON " + objects + " FOR EACH ROW EXECUTE FUNCTION "
                        + storage.tenant("one").names().schema().sql() + ".forge()");
        put("one", "b/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table("one")))
                .isEqualTo("5");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table("two")))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1,2]", "[{\"name\":7}]", "[{\"name\":\"w\",\"events\":3}]", "[null]", "{}", "[[]]"})
    void aForgedSettingThatIsNoneQueuesNothing(String text) {
        String objects = storage.tenant("one").names().storage().sql() + ".objects";
        storage.projects()
                .asOperator("CREATE FUNCTION "
                        + storage.tenant("one").names().schema().sql()
                        + ".forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " PERFORM set_config('storage.webhooks', '" + text + "', true); RETURN NEW; END $$");
        storage.projects()
                .asOperator("CREATE TRIGGER forge BEFORE INSERT ON " + objects + " FOR EACH ROW EXECUTE FUNCTION "
                        + storage.tenant("one").names().schema().sql() + ".forge()");
        put("one", "b/x");
        assertThat(storage.projects().ask("SELECT count(*) FROM " + table("one")))
                .isEqualTo("0");
    }
}
