package svc.embedded.kubernetes.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;
import static svc.embedded.kubernetes.TestApi.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.kubernetes.HttpApi;
import svc.embedded.kubernetes.TestApi;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.store.ObjectStore;

/** Acknowledged writes survive a stop, a kill and a torn write. */
class OutlivesTheProcessTest {
    @TempDir
    private Path folder;

    @Test
    void objectsTokenAndDefinitionsComeBack() throws Exception {
        JsonNode before;
        String token;
        try (EmbeddedKubernetes api = EmbeddedKubernetes.start(Settings.in(folder));
                KubernetesClient client = TestApi.client(api);
                HttpApi http = new HttpApi(api)) {
            TestApi.define(client);
            http.post(GADGETS, gadget("gone", "ref: abc"));
            http.delete(GADGETS + "/gone");
            http.post(GADGETS, gadget("one", "ref: abc"));
            before = http.patch(GADGETS + "/one", MERGE, "{spec: {size: 2}}").body();
            token = api.token();
            assertThatThrownBy(() -> EmbeddedKubernetes.start(Settings.in(folder)))
                    .isInstanceOf(Exception.class);
        }
        try (EmbeddedKubernetes api = EmbeddedKubernetes.start(Settings.in(folder));
                HttpApi http = new HttpApi(api)) {
            assertThat(api.token()).isEqualTo(token);
            assertThat(http.get(GADGETS + "/one").body()).isEqualTo(before);
            assertThat(http.get(GADGETS + "/gone").code()).isEqualTo(404);
            JsonNode next = http.post(GADGETS, gadget("two", "ref: abc")).body();
            assertThat(next.at("/metadata/resourceVersion").asLong())
                    .isGreaterThan(before.at("/metadata/resourceVersion").asLong());
        }
    }

    @Test
    void anInformerLivesThroughARestart() throws Exception {
        EmbeddedKubernetes first = EmbeddedKubernetes.start(Settings.in(folder));
        int port = java.net.URI.create(first.url()).getPort();
        try (KubernetesClient client = TestApi.client(first);
                var informer = client.configMaps().inNamespace("default").inform()) {
            client.resource(configMap("one")).create();
            await("one is seen", () -> informer.getStore().list().size() == 1);
            first.close();
            try (EmbeddedKubernetes second = EmbeddedKubernetes.start(new Settings(Optional.of(folder), port))) {
                assertThat(second.url()).isEqualTo(first.url());
                client.resource(configMap("two")).create();
                await(
                        "two is seen after the restart",
                        () -> informer.getStore().list().size() == 2);
            }
        }
    }

    @Test
    void aTornTailIsSetAside() throws Exception {
        ObjectKey key = new ObjectKey("", "configmaps", "default", "one");
        try (ObjectStore store = ObjectStore.open(folder)) {
            store.create(key, named("one"));
        }
        Path journal = folder.resolve("objects.journal");
        long whole = Files.size(journal);
        Files.write(journal, new byte[] {0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7}, StandardOpenOption.APPEND);
        try (ObjectStore store = ObjectStore.open(folder)) {
            assertThat(store.get(key)).isPresent();
            assertThat(Files.size(journal)).isEqualTo(whole);
            assertThat(folder.resolve("objects.journal.damaged")).hasSize(11);
            assertThat(store.create(new ObjectKey("", "configmaps", "default", "two"), named("two")))
                    .isPresent();
        }
        try (ObjectStore store = ObjectStore.open(folder)) {
            assertThat(store.everything()).hasSize(2);
        }
    }

    @Test
    void theJournalIsRewrittenBeforeItGrowsForEver() throws Exception {
        ObjectKey key = new ObjectKey("", "configmaps", "default", "one");
        ObjectNode large = named("one").put("text", "x".repeat(200_000));
        long version;
        try (ObjectStore store = ObjectStore.open(folder)) {
            var object = store.create(key, large).orElseThrow();
            for (int i = 0; i < 200; i++) {
                object = store.replace(object, large.deepCopy().put("i", i)).orElseThrow();
            }
            version = object.version();
            assertThat(folder.resolve("objects.journal"))
                    .satisfies(file -> assertThat(Files.size(file)).isLessThan(20 << 20));
        }
        try (ObjectStore store = ObjectStore.open(folder)) {
            assertThat(store.get(key).orElseThrow().version()).isEqualTo(version);
        }
    }

    @Test
    void aKilledProcessLosesNothingItAcknowledged() throws Exception {
        Process child = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        long acknowledged = 0;
        try (var lines = child.inputReader()) {
            while (acknowledged < 200) {
                String line = lines.readLine();
                if (line == null) {
                    throw new IOException("the writing process ended by itself");
                }
                acknowledged = Long.parseLong(line);
            }
        } finally {
            child.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        try (ObjectStore store = ObjectStore.open(folder)) {
            assertThat(store.everything().size()).isGreaterThanOrEqualTo((int) acknowledged);
        }
    }

    /** The process that is killed: prints each number when its object is acknowledged. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            ObjectStore store = ObjectStore.open(Path.of(arguments[0]));
            for (int i = 1; ; i++) {
                store.create(new ObjectKey("", "configmaps", "default", "c" + i), named("c" + i));
                System.out.println(i);
            }
        }
    }

    private static ObjectNode named(String name) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", name);
        return object;
    }

    private static io.fabric8.kubernetes.api.model.ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }
}
