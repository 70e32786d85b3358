package svc.embedded.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import svc.embedded.kubernetes.json.Json;

/**
 * Address and credentials of a Kubernetes API, as fabric8 settings and as a kubeconfig.
 *
 * @param url such as {@code https://127.0.0.1:40123}
 * @param token of one user
 * @param certificatePem that of the server, or of its authority
 */
public record Credentials(String url, String token, String certificatePem) {
    /** The settings of a fabric8 client; they ignore the kubeconfig of the environment. */
    public Config clientConfig() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(token)
                .withCaCertData(certificateData())
                .withNamespace("default")
                .build();
    }

    /** Writes a kubeconfig that only this user may read, with all that kubectl needs; an older one is replaced. */
    public Path write(Path file) throws IOException {
        return AccessFiles.writePrivately(file, kubeconfig());
    }

    // JSON is YAML, and needs no quoting rules.
    private String kubeconfig() {
        ObjectNode config = Json.object().put("apiVersion", "v1").put("kind", "Config");
        config.put("current-context", "svc");
        config.putArray("clusters")
                .addObject()
                .put("name", "svc")
                .putObject("cluster")
                .put("server", url)
                .put("certificate-authority-data", certificateData());
        config.putArray("users")
                .addObject()
                .put("name", "svc")
                .putObject("user")
                .put("token", token);
        config.putArray("contexts")
                .addObject()
                .put("name", "svc")
                .putObject("context")
                .put("cluster", "svc")
                .put("user", "svc")
                .put("namespace", "default");
        return config.toPrettyString() + "\n";
    }

    private String certificateData() {
        return Base64.getEncoder().encodeToString(certificatePem.getBytes(StandardCharsets.US_ASCII));
    }

    /** Without the token: records are logged. */
    @Override
    public String toString() {
        return "Credentials[" + url + "]";
    }
}
