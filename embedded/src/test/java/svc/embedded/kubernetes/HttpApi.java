package svc.embedded.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.Config;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Plain HTTP against the API, for promises about the bytes themselves. */
public final class HttpApi implements AutoCloseable {
    public static final String GADGETS = "/apis/test.svc.platform/v1/namespaces/default/gadgets";
    public static final String APPLY = "application/apply-patch+yaml";
    public static final String MERGE = "application/merge-patch+json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new YAMLMapper();

    private final Config config;
    private final HttpClient client;

    /** An answer, its body parsed. */
    public record Reply(int code, JsonNode body, HttpResponse<InputStream> response) {
        public String reason() {
            return body.path("reason").asText();
        }

        public String message() {
            return body.path("message").asText();
        }
    }

    public HttpApi(EmbeddedKubernetes api) throws IOException, GeneralSecurityException {
        this(api.clientConfig());
    }

    /** @param config of a user with a bearer token, and the certificate of the server or its authority */
    public HttpApi(Config config) throws IOException, GeneralSecurityException {
        this.config = config;
        this.client = HttpClient.newBuilder().sslContext(trusting(config)).build();
    }

    public Reply get(String path) throws Exception {
        return send(request(path).GET());
    }

    public Reply get(String path, String accept) throws Exception {
        return send(request(path).header("Accept", accept).GET());
    }

    public Reply post(String path, String yaml) throws Exception {
        return body("POST", path, "application/json", yaml);
    }

    public Reply put(String path, JsonNode object) throws Exception {
        return body("PUT", path, "application/json", object.toString());
    }

    public Reply delete(String path) throws Exception {
        return send(request(path).DELETE());
    }

    public Reply delete(String path, String options) throws Exception {
        return body("DELETE", path, "application/json", options);
    }

    public Reply patch(String path, String type, String yaml) throws Exception {
        return body("PATCH", path, type, yaml);
    }

    public Reply apply(String path, String manager, String yaml) throws Exception {
        return patch(path + "?fieldManager=" + manager, APPLY, yaml);
    }

    /** The answer as it comes in, for watches. */
    public InputStream stream(String path) throws Exception {
        return client.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    public Reply send(HttpRequest.Builder request) throws Exception {
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        byte[] text = response.body().readAllBytes();
        boolean json = response.headers().firstValue("Content-Type").orElse("").contains("json");
        return new Reply(response.statusCode(), json ? JSON.readTree(text) : JSON.createObjectNode(), response);
    }

    public HttpRequest.Builder request(String path) {
        return anonymous(path).header("Authorization", "Bearer " + config.getOauthToken());
    }

    public HttpRequest.Builder anonymous(String path) {
        return HttpRequest.newBuilder(URI.create(config.getMasterUrl().replaceAll("/$", "") + path));
    }

    /** A gadget of a name, its spec as YAML. */
    public static String gadget(String name, String spec) {
        return "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: %s}, spec: {%s}}"
                .formatted(name, spec);
    }

    public static ObjectNode copy(JsonNode object) {
        return object.deepCopy();
    }

    @Override
    public void close() {
        // A watch that a test left open must not hold the end of the test.
        client.shutdownNow();
    }

    private Reply body(String method, String path, String type, String yaml) throws Exception {
        return send(request(path)
                .header("Content-Type", type)
                .method(
                        method,
                        HttpRequest.BodyPublishers.ofString(YAML.readTree(yaml).toString())));
    }

    private static SSLContext trusting(Config config) throws IOException, GeneralSecurityException {
        byte[] pem = Base64.getDecoder().decode(config.getCaCertData());
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry(
                "api", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** One line of a stream, as JSON. */
    public static JsonNode line(InputStream stream) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = stream.read(); b != '\n'; b = stream.read()) {
            if (b < 0) {
                throw new IOException("the stream ended after: " + line);
            }
            line.append((char) b);
        }
        return JSON.readTree(line.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
