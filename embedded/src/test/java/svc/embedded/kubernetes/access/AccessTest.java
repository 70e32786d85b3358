package svc.embedded.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Authentication, the loopback address, the kubeconfig. */
class AccessTest extends ApiTest {
    @Test
    void requiresTheTokenExceptForHealthAndVersion() throws Exception {
        for (String path : new String[] {GADGETS, "/api", "/apis", "/openapi/v3", "/api/v1/secrets", "/nothing"}) {
            Reply refused = http.send(http.anonymous(path));
            assertThat(refused.code()).as(path).isEqualTo(401);
            assertThat(refused.reason()).isEqualTo("Unauthorized");
            assertThat(refused.body().path("kind").asText()).isEqualTo("Status");
        }
        assertThat(http.send(http.anonymous(GADGETS).header("Authorization", "Bearer wrong"))
                        .code())
                .isEqualTo(401);
        assertThat(http.send(http.anonymous(GADGETS).header("Authorization", "Basic " + api.token()))
                        .code())
                .isEqualTo(401);
        for (String path : new String[] {"/version", "/healthz", "/livez", "/readyz"}) {
            assertThat(http.send(http.anonymous(path)).code()).as(path).isEqualTo(200);
        }
    }

    @Test
    void listensOnLoopbackOnly() throws Exception {
        int port = URI.create(api.url()).getPort();
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(network.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThat(reachable(address, port)).as(address.toString()).isFalse();
                }
            }
        }
    }

    @Test
    void writesAKubeconfigForThisUserAlone(@TempDir Path folder) throws Exception {
        Path file = api.kubeconfig(folder.resolve("deep/kubeconfig"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).contains(api.token()).contains(api.url());
    }

    @Test
    void tellsItsOneUserThatEverythingIsAllowed() throws Exception {
        String reviews = "/apis/authorization.k8s.io/v1/";
        Reply access = http.post(
                reviews + "selfsubjectaccessreviews",
                "{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {}}}");
        Reply rules = http.post(
                reviews + "selfsubjectrulesreviews",
                "{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectRulesReview, spec: {namespace: default}}");

        assertThat(access.body().at("/status/allowed").asBoolean()).isTrue();
        assertThat(rules.code()).isEqualTo(201);
        assertThat(rules.body().at("/status/resourceRules/0/verbs/0").asText()).isEqualTo("*");
        assertThat(rules.body().at("/status/resourceRules/0/resources/0").asText())
                .isEqualTo("*");
    }

    private static boolean reachable(InetAddress address, int port) {
        try (Socket socket = new Socket(address, port)) {
            return socket.isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
