package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;

/**
 * A client that offers an upgrade to HTTP/2 with its first request, as Java's does by default, is served over HTTP/1.1.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class UpgradeToHttp2Test {
    private static HttpResponse<String> send(String method, String host, String path, String credential, String body)
            throws IOException, InterruptedException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Host", host)
                .header("Authorization", "Bearer " + credential)
                .build();
        // One client for each request: only the first on a connection offers the upgrade.
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_2);
            return client.send(request, BodyHandlers.ofString());
        }
    }

    @Test
    void theControlPlaneReadsAndWrites() throws Exception {
        var listed = send("GET", "api.svc.example", "/v1/projects", TestingPlatform.ADMIN, "");
        var created = send("POST", "api.svc.example", "/v1/projects", TestingPlatform.ADMIN, "{\"name\":\"upgraded\"}");

        assertThat(listed.statusCode()).as(listed.body()).isEqualTo(200);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(created.body()).contains("upgraded");
    }

    @Test
    void theDataPlaneReadsAndWrites() throws Exception {
        ProjectForTests project = ProjectForTests.create("upgrades");
        String host = project.ref() + ".data.example";
        var read = send("GET", host, "/realtime/v1/echo", project.anonKey(), "");
        var written = send("POST", host, "/realtime/v1/echo", project.anonKey(), "hello");

        assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        assertThat(written.body()).contains("\"body\":\"hello\"");
    }
}
