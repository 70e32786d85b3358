package svc.embedded.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Promise: the page runs its own files only, talks to this machine's gateway only, and answers this machine only. */
class GraphqlPageTest {
    private static final int GATEWAY = 18_000;
    private static final GraphqlPage PAGE = GraphqlPage.start(GATEWAY, 0);

    @AfterAll
    static void close() {
        PAGE.close();
    }

    private static HttpResponse<String> send(String method, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(PAGE.address().resolve(path))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void itHasNoCodeOfItsOwnAndLoadsItsFilesOnly() throws Exception {
        HttpResponse<String> page = send("GET", "/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "connect-src http://127.0.0.1:" + GATEWAY + ";")
                .doesNotContain("unsafe", "*");
        assertThat(page.body())
                .contains("content=\"http://127.0.0.1:" + GATEWAY + "\"")
                .doesNotContainPattern("<script>|<style|style=|\\son[a-z]+=|https?://(?!127\\.0\\.0\\.1)");
        assertThat(send("GET", "/page.js").body())
                .contains("fetch(")
                .doesNotContain("innerHTML", "eval(", "localStorage");
        assertThat(send("GET", "/page.css").headers().firstValue("Content-Type"))
                .hasValue("text/css; charset=utf-8");
    }

    @Test
    void otherRequestsAreRefused() throws Exception {
        assertThat(send("POST", "/").statusCode()).isEqualTo(405);
        assertThat(send("GET", "/page.html").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/../../etc/passwd").statusCode()).isEqualTo(404);
        assertThat(status("attacker.example")).startsWith("HTTP/1.1 403");
        assertThat(status("localhost:1")).startsWith("HTTP/1.1 200");
    }

    private static String status(String host) throws IOException {
        try (var socket = new Socket("127.0.0.1", PAGE.address().getPort())) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
