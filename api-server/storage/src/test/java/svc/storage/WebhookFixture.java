package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import svc.crds.project.ActiveSecret;
import svc.crds.project.service.StorageWebhookSpec;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;

/** Two projects, and two receivers that their webhooks may name. */
abstract class WebhookFixture {
    static final SecretKeyReference SECRET = new SecretKeyReference("hooks", "storage");
    static final byte[] KEY = "a key of 24 or more bytes".getBytes(StandardCharsets.UTF_8);

    static StorageForTests storage;

    // Each test has projects of its own.
    final String one = ref("one");
    final String two = ref("two");
    WebhookReceiver receiver;
    WebhookReceiver other;

    private static String ref(String prefix) {
        return prefix + UUID.randomUUID().toString().substring(0, 8);
    }

    @BeforeAll
    static void startService() {
        storage = new StorageForTests();
    }

    @AfterAll
    static void stopService() {
        storage.close();
    }

    @BeforeEach
    void start() {
        receiver = new WebhookReceiver();
        other = new WebhookReceiver();
        for (String ref : List.of(one, two)) {
            storage.project(ref);
            storage.bucket(ref, "b", true);
            storage.bucket(ref, "c", false);
        }
    }

    /** Nothing of these projects is sent again. */
    @AfterEach
    void stop() {
        storage.forget(one);
        storage.forget(two);
        receiver.close();
        other.close();
    }

    static StorageWebhookSpec hook(String name, String url, String... events) {
        return new StorageWebhookSpec(name, url, List.of(events), null, null, SECRET);
    }

    void serve(String ref, StorageWebhookSpec... webhooks) {
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

    void put(String ref, String path, String... headers) {
        assertThat(storage.upload(ref, path, SERVICE, "x", headers).status()).isEqualTo(200);
    }

    String table(String ref) {
        return storage.tenant(ref).names().storage().sql() + ".object_events";
    }

    JsonNode state(String ref) {
        return storage.get(ref, "/webhooks", SERVICE).json();
    }

    void awaitEvents(WebhookReceiver at, String... events) {
        await().untilAsserted(() -> assertThat(at.events()).containsExactly(events));
        await().until(() -> storage.idle());
    }

    /** The next attempt is due now, for the database and for this process. */
    void passBackoff(String ref) {
        storage.projects().asOperator("UPDATE " + table(ref) + " SET next_at = now() - interval '1 second'");
        storage.pass(Duration.ofHours(1));
        storage.webhooks().retry();
        // Signatures of S3 clients are of the present.
        storage.pass(Duration.ofHours(-1));
    }
}
