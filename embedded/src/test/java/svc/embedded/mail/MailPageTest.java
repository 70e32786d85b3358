package svc.embedded.mail;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Promise: mails of one machine can be read at a local page, and no content of a mail runs in the reader's browser. */
class MailPageTest {
    private static final EmbeddedMail MAIL = EmbeddedMail.start(EmbeddedMail.Settings.open(0));
    private static final MailPage PAGE = MailPage.start(MAIL, 0);
    private static final String EVIL = "<script>alert(1)</script>";

    @BeforeAll
    static void sent() throws Exception {
        var properties = new Properties();
        properties.put("mail.smtp.host", "127.0.0.1");
        properties.put("mail.smtp.port", Integer.toString(MAIL.port()));
        var message = new MimeMessage(Session.getInstance(properties));
        message.setFrom(new InternetAddress("shop@example.com"));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress("ann@example.com"));
        message.setSubject("Hi " + EVIL, "UTF-8");
        message.setText(
                "<p>Zoë" + EVIL
                        + "<a href=\"https://a.example/x?b=1&amp;c=2\">go</a><a href='javascript:alert(1)'>no</a>",
                "UTF-8",
                "html");
        Transport.send(message);
    }

    @AfterAll
    static void close() {
        PAGE.close();
        MAIL.close();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(PAGE.address().resolve(path)).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void mailsAreListedAndShown() throws Exception {
        assertThat(get("/").body())
                .contains("ann@example.com")
                .contains("href=\"/mails/1\"")
                .doesNotContain(EVIL);
        HttpResponse<String> one = get("/mails/1");
        assertThat(one.body())
                .contains("href=\"https://a.example/x?b=1&amp;c=2\"")
                .contains("<iframe sandbox=\"allow-popups")
                .doesNotContain(EVIL)
                .doesNotContain("javascript:");
        assertThat(get("/mails.json").body())
                .contains("https://a.example/x?b=1&c=2")
                .contains("Zoë");
        assertThat(get("/mails/2").statusCode()).isEqualTo(404);
        assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
    }

    @Test
    void programsGetJsonFromTheSameAddresses() throws Exception {
        var json = new com.fasterxml.jackson.databind.ObjectMapper();
        assertThat(json.readTree(getAs("application/json", "/").body())
                        .get(0)
                        .path("to")
                        .asText())
                .isEqualTo("ann@example.com");
        HttpResponse<String> one = getAs("application/json", "/mails/1");
        assertThat(one.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(json.readTree(one.body()).path("links").get(0).asText()).isEqualTo("https://a.example/x?b=1&c=2");
        HttpResponse<String> none = getAs("application/json", "/mails/2");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(json.readTree(none.body()).path("message").asText()).isNotBlank();
        assertThat(getAs("text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8", "/")
                        .body())
                .startsWith("<!doctype html>");
    }

    private static HttpResponse<String> getAs(String accept, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(PAGE.address().resolve(path)).header("Accept", accept);
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void whatAMailBringsRunsNothing() throws Exception {
        assertThat(get("/mails/1/body")
                        .headers()
                        .firstValue("Content-Security-Policy")
                        .orElseThrow())
                .startsWith("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'")
                .doesNotContain("allow-scripts")
                .doesNotContain("allow-same-origin");
        assertThat(get("/").headers().firstValue("Content-Security-Policy").orElseThrow())
                .doesNotContain("script-src");
    }

    @Test
    void aNameThatLeadsHereIsNotThisMachine() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", PAGE.address().getPort())) {
            socket.getOutputStream()
                    .write("GET /mails.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("ann@");
        }
    }
}
