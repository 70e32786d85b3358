package svc.embedded.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.collect.GarbageCollector;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.http.ApiServer;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.log.PodLogSource;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.Served;
import svc.embedded.kubernetes.write.ObjectDeletion;
import svc.embedded.kubernetes.write.ObjectWrites;
import svc.embedded.kubernetes.write.WriteOptions;

/**
 * A Kubernetes API in this process, on the loopback interface, for one machine and for tests.
 *
 * <p>Operators and kubectl work on it as on a cluster's API: server-side apply with field owners, watches, finalizers,
 * garbage collection, custom resources with their schemas. It has no controllers, no scheduler and one user, with a
 * bearer token. With a folder, everything acknowledged outlives the process, and so do token and certificate.
 */
public final class EmbeddedKubernetes implements AutoCloseable {
    private static final List<String> NAMESPACES = List.of("default", "kube-system");

    private final ObjectStore store;
    private final ResourceCatalog catalog;
    private final ObjectWrites writes;
    private final ObjectDeletion deletion;
    private final GarbageCollector collector;
    private final ApiServer server;
    private final AccessFiles access;

    /**
     * How to run it.
     *
     * @param folder where it keeps its state; empty to keep nothing
     * @param port the port on 127.0.0.1; 0 for any free one
     */
    public record Settings(Optional<Path> folder, int port) {
        /** Keeps nothing, any port. */
        public static Settings inMemory() {
            return new Settings(Optional.empty(), 0);
        }

        /** Keeps its state in a folder, which is made when it is missing; any port. */
        public static Settings in(Path folder) {
            return new Settings(Optional.of(folder), 0);
        }
    }

    private EmbeddedKubernetes(Settings settings) throws IOException {
        Clock clock = Clock.systemUTC();
        this.access = settings.folder().isPresent()
                ? AccessFiles.keptIn(settings.folder().get(), clock)
                : AccessFiles.fresh(clock);
        this.store = settings.folder().isPresent()
                ? ObjectStore.open(settings.folder().get())
                : ObjectStore.inMemory();
        try {
            this.catalog = ResourceCatalog.following(store);
            this.writes = new ObjectWrites(store, clock);
            this.deletion = new ObjectDeletion(store, clock);
            createNamespaces(catalog, writes);
            this.collector = new GarbageCollector(store, catalog, writes, deletion);
            this.server =
                    new ApiServer(store, catalog, writes, deletion, access.token(), access.identity(), settings.port());
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Starts, with all that the folder holds; returns when requests are answered.
     *
     * @throws IOException when the port is taken, or the folder is in use or cannot be written */
    public static EmbeddedKubernetes start(Settings settings) throws IOException {
        return new EmbeddedKubernetes(settings);
    }

    /** The address, such as {@code https://127.0.0.1:40123}. */
    public String url() {
        return "https://127.0.0.1:" + server.port();
    }

    /**
     * The objects of a resource, for a controller in this process.
     *
     * @param apiVersion such as {@code apps/v1}
     * @param plural such as {@code deployments}
     * @param manager the controller's name, for field ownership
     * @throws IllegalArgumentException when there is no such resource
     */
    public LocalObjects objects(String apiVersion, String plural, String manager) {
        return LocalObjects.of(store, catalog, writes, deletion, apiVersion, plural, manager);
    }

    /** Sets the source of pod logs; without one, logs are empty. */
    public void serveLogs(PodLogSource source) {
        server.serveLogs(source);
    }

    /** The token that every request but those for version and health must carry. */
    public String token() {
        return access.token().value();
    }

    /** Writes a kubeconfig that only this user may read, with all that kubectl needs; an older one is replaced. */
    public Path kubeconfig(Path file) throws IOException {
        return credentials().write(file);
    }

    /** The settings of a fabric8 client for this API; nothing of the environment's own kubeconfig is in them. */
    public Config clientConfig() {
        return credentials().clientConfig();
    }

    /** Ends every request and watch, and leaves the folder to the next start. */
    @Override
    public void close() throws IOException {
        try (store) {
            server.close();
            collector.close();
        }
    }

    private Credentials credentials() {
        return new Credentials(url(), token(), access.identity().certificatePem());
    }

    private static void createNamespaces(ResourceCatalog catalog, ObjectWrites writes) {
        Served namespaces = catalog.find("", "v1", "namespaces").orElseThrow();
        for (String name : NAMESPACES) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", name);
            try {
                writes.create(namespaces, "", namespace, WriteOptions.ofServer("embedded-kubernetes"));
            } catch (ApiFailure e) {
                if (!e.reason().equals("AlreadyExists")) {
                    throw e;
                }
            }
        }
    }
}
