package svc.bench.storage;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import svc.bench.measure.AuthProject;
import svc.bench.measure.BenchDatabase;
import svc.crds.project.Project;
import svc.database.name.ProjectNames;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/**
 * The storage service of one project with a public bucket {@code open}, and a bucket {@code closed} that policies open to the
 * anon key.
 *
 * @param api of the anon key
 * @param serviceKey for what policies do not allow
 */
public record StorageProject(AuthProject api, String serviceKey, ProjectNames names) {
    /** Of the path, before the route. */
    public static final String PREFIX = "/storage/v1";

    private static final int AT_ONCE = 8;
    private static final String POLICIES = """
            CREATE POLICY "closed" ON storage.objects FOR ALL TO anon
            USING (bucket_id = 'closed') WITH CHECK (bucket_id = 'closed')
            """;

    /** @param largest file that it takes, in bytes */
    public static StorageProject create(Platform platform, long largest) throws IOException {
        AuthProject api = AuthProject.create(platform);
        var project = new StorageProject(api, api.withServiceKey(platform).key(), names(platform, api.ref(), largest));
        project.bucket("open", true);
        project.bucket("closed", false);
        platform.controlPlane().query(api.ref(), POLICIES).expect(201);
        return project;
    }

    /** Sets the size of the largest file, too. */
    private static ProjectNames names(Platform platform, String ref, long largest) throws IOException {
        try (var client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        Files.readString(Path.of(platform.connection().kubeconfig()))))
                .build()) {
            Project patched = client.resources(Project.class)
                    .inNamespace("svc")
                    .withName(ref)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"storage\":{\"fileSizeLimit\":" + largest + "}}}");
            return ProjectNames.shared(UUID.fromString(patched.getStatus().projectId()));
        }
    }

    private void bucket(String name, boolean open) throws IOException {
        send(
                        "POST",
                        "/bucket",
                        serviceKey,
                        BodyPublishers.ofString("{\"name\":\"" + name + "\",\"public\":" + open + "}"))
                .expect(200);
    }

    /** Uploads the same bytes under each name, {@code bucket/path}. */
    public void upload(List<String> names, byte[] bytes) throws Exception {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Callable<Answer>> uploads = names.stream()
                    .<Callable<Answer>>map(name -> () -> upload(name, BodyPublishers.ofByteArray(bytes)))
                    .toList();
            for (var done : threads.invokeAll(uploads)) {
                done.get();
            }
        }
    }

    public Answer upload(String name, BodyPublisher body) throws IOException {
        return send("POST", "/object/" + name, serviceKey, body).expect(200);
    }

    /** So many names, {@code bucket/f-1} and so on. */
    public static List<String> names(String bucket, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> bucket + "/f-" + number)
                .toList();
    }

    /** Of its tables, quoted. */
    public String schema() {
        return names.storage().sql();
    }

    /** The keys in S3 of the files of a bucket. */
    public List<String> keys(BenchDatabase database, String bucket) throws SQLException {
        return database.texts("SELECT '" + names.projectId() + "/storage/' || version FROM " + schema()
                + ".objects WHERE bucket_id = '" + bucket + "' ORDER BY name");
    }

    /** A list, by the anon key. */
    public JsonNode list(String route, String json) throws IOException {
        return send("POST", "/object/" + route + "/closed", api.key(), BodyPublishers.ofString(json))
                .expect(200)
                .json();
    }

    /** Where a file is, for a client that cannot resolve the host's name. */
    public URI address(String route) {
        return URI.create(api.url().replace("/auth/v1", PREFIX) + route);
    }

    /** Headers of the load: the project's host and the anon key. */
    public List<String> headers() {
        return List.of("Host: " + api.host(), "apikey: " + api.key());
    }

    private Answer send(String method, String route, String key, BodyPublisher body) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(address(route))
                .method(method, body)
                .header("apikey", key)
                .header("Content-Type", "application/json"));
    }
}
