package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.TestApi.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl: apply, get, patch, label, scale, watch, wait, describe, delete. */
class KubectlTest extends ContractTest {

    @TempDir
    private Path home;

    private Kubectl kubectl;
    private Path manifest;

    @BeforeEach
    void writeManifest() throws Exception {
        kubectl = new Kubectl(api, namespace, home);
        manifest = kubectl.file("one.yaml", gadget("1"));
    }

    @Test
    void appliesAndShowsTheDeclaredColumns() throws Exception {
        assertThat(kubectl.run("apply", "-f", manifest.toString())).contains("gadget.test.svc.platform/one created");
        assertThat(kubectl.run("apply", "-f", manifest.toString())).contains("unchanged");
        kubectl.file("one.yaml", gadget("2"));
        assertThat(kubectl.run("apply", "-f", manifest.toString())).contains("configured");
        makeReady();
        assertThat(kubectl.run("get", "gadgets"))
                .containsPattern("NAME +REF +READY +REASON +AGE\\s*\n" + "one +abc +True +Made +\\d+s");
        assertThat(kubectl.run("get", "gd", "-o", "wide")).containsPattern("SIZE\\s*\n.* 2\\s*\n");
        assertThat(kubectl.run("get", "things", "-A"))
                .containsPattern("NAMESPACE +NAME ")
                .containsPattern(namespace + " +one ");
        assertThat(kubectl.run("get", "gd", "-o", "name")).isEqualTo("gadget.test.svc.platform/one\n");
        assertThat(kubectl.run("get", "gd", "one", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("2");
        assertThat(kubectl.run("get", "gd", "one", "-o", "yaml")).contains("ref: abc");
        assertThat(kubectl.run("api-resources")).containsPattern("gadgets +gd +test.svc.platform/v1");
    }

    @Test
    void appliesOnTheServerAndNamesTheConflictingManager() throws Exception {
        String file = manifest.toString();
        assertThat(kubectl.run("apply", "--server-side", "-f", file)).contains("serverside-applied");
        http.patch(one + "?fieldManager=hand", MERGE, "{spec: {size: 7}}");
        Kubectl.Output refused = kubectl.attempt("apply", "--server-side", "-f", file);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("conflict with \"hand\"").contains(".spec.size");
        kubectl.run("apply", "--server-side", "--force-conflicts", "-f", file);
        assertThat(http.get(one).body().at("/spec/size").asInt()).isEqualTo(1);
    }

    @Test
    void scalesAndShowsEndpoints() throws Exception {
        Path workload = kubectl.file("workload.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: function, image: a}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web-1, labels: {app: web}}
                spec: {containers: [{name: function, image: a}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web, labels: {kubernetes.io/service-name: web}}
                addressType: FQDN
                endpoints: [{addresses: [0.sock], conditions: {ready: true}}]
                """);
        kubectl.run("apply", "-f", workload.toString());
        assertThat(kubectl.run("scale", "deploy/web", "--replicas=3")).contains("deployment.apps/web scaled");
        assertThat(kubectl.run("get", "deploy,pods,endpointslices"))
                .containsPattern("deployment.apps/web +0/3 ")
                .containsPattern("pod/web-1 +0/1 +Pending")
                .containsPattern("endpointslice.discovery.k8s.io/web +FQDN +<unset> +0.sock ");
    }

    @Test
    void patchesLabelsAndSelects() throws Exception {
        kubectl.run("apply", "-f", manifest.toString());
        kubectl.run("label", "gd", "one", "tier=a");
        kubectl.run("annotate", "gd", "one", "note=x");
        kubectl.run("patch", "gd", "one", "--type=merge", "-p", "{\"spec\":{\"size\":3}}");
        kubectl.run(
                "patch",
                "gd",
                "one",
                "--type=json",
                "-p",
                "[{\"op\":\"replace\",\"path\":\"/spec/size\",\"value\":4}]");
        assertThat(kubectl.run("get", "gd", "-l", "tier in (a,b)", "-o", "name"))
                .contains("one");
        assertThat(kubectl.run("get", "gd", "-l", "tier notin (a)", "-o", "name"))
                .isEmpty();
        assertThat(kubectl.run("get", "gd", "--field-selector", "metadata.name=one", "-o", "name"))
                .contains("one");
        Kubectl.Output refused =
                kubectl.attempt("patch", "gd", "one", "--type=merge", "-p", "{\"spec\":{\"ref\":\"x\"}}");
        assertThat(refused.err()).contains("ref cannot be changed");
        kubectl.run(
                "apply",
                "--dry-run=server",
                "-f",
                kubectl.file("two.yaml", gadget("1").replace("one", "two")).toString());
        assertThat(kubectl.attempt("get", "gd", "two").err()).contains("(NotFound)");
    }

    @Test
    void watches() throws Exception {
        Path out = home.resolve("watched");
        Process watching = kubectl.start(out, home.resolve("watched-errors"), "get", "gd", "-w");
        try {
            Thread.sleep(500);
            kubectl.run("apply", "-f", manifest.toString());
            await("the arrival is printed", () -> read(out).contains("one "));
            makeReady();
            await("the change is printed", () -> read(out).contains("Made"));
        } finally {
            watching.destroy();
            watching.waitFor();
        }
        assertThat(read(out)).containsPattern("NAME +REF +READY +REASON +AGE");
    }

    @Test
    void waitsForAConditionAndForADeletion() throws Exception {
        kubectl.run("apply", "-f", manifest.toString());
        http.patch(one, MERGE, "{metadata: {finalizers: [svc/hold]}}");
        Process waiting = kubectl.start(
                home.resolve("o1"), home.resolve("e1"), "wait", "--for=condition=Ready", "gd/one", "--timeout=120s");
        Thread.sleep(300);
        makeReady();
        assertThat(waiting.waitFor()).isZero();

        Process deleting = kubectl.start(home.resolve("o2"), home.resolve("e2"), "delete", "gd", "one");
        Thread.sleep(700);
        assertThat(deleting.isAlive()).isTrue();
        http.patch(one, MERGE, "{metadata: {finalizers: null}}");
        assertThat(deleting.waitFor()).isZero();
        assertThat(read(home.resolve("o2"))).contains("deleted");
    }

    @Test
    void describesWithEvents() throws Exception {
        kubectl.run("apply", "-f", manifest.toString());
        String uid = http.get(one).body().at("/metadata/uid").asText();
        http.post(
                inNamespace("/apis/events.k8s.io/v1", "events"),
                "{metadata: {name: e1}, type: Normal, reason:"
                        + " Provisioned, note: all is made, action: x, eventTime: '2026-01-01T00:00:00.000000Z',"
                        + " reportingController: svc, reportingInstance: one, regarding: {apiVersion: test.svc.platform/v1,"
                        + " kind: Gadget, name: one, namespace: " + namespace + ", uid: " + uid + "}}");
        assertThat(kubectl.run("describe", "gd", "one"))
                .containsPattern("Ref: +abc")
                .contains("Provisioned")
                .contains("all is made");
        assertThat(kubectl.run("get", "events")).contains("gadget/one").contains("Provisioned");
    }

    @Test
    void createsNamespacesSecretsAndConfigMaps() throws Exception {
        String team = namespace + "-team";
        kubectl.run("create", "namespace", team);
        kubectl.run("create", "secret", "generic", "s", "--from-literal=a=b", "-n", team);
        kubectl.run("create", "configmap", "c", "--from-literal=a=b", "-n", team);
        kubectl.run("create", "serviceaccount", "sa", "-n", team);
        assertThat(kubectl.run("get", "secret", "s", "-n", team, "-o", "jsonpath={.data.a}"))
                .isEqualTo("Yg==");
        assertThat(kubectl.run("get", "secrets,configmaps", "-n", team)).containsPattern("secret/s +Opaque +1 ");
        assertThat(kubectl.run("auth", "can-i", "get", "pods")).contains("yes");
        kubectl.run("delete", "namespace", team);
        assertThat(kubectl.attempt("get", "namespace", team).err()).contains("(NotFound)");
    }

    @Test
    void explainsFieldsAndValidatesAgainstTheSchema() throws Exception {
        assertThat(kubectl.run("explain", "gadget.spec.ref")).contains("What it is called.");
        assertThat(kubectl.run("explain", "gadget", "--recursive")).contains("observedGeneration");
        Path unknown = kubectl.file("unknown.yaml", gadget("1").replace("ref: abc", "ref: abc\n  nmae: x"));
        assertThat(kubectl.attempt("apply", "-f", unknown.toString()).err())
                .contains("strict decoding error: unknown field \"spec.nmae\"");
    }

    @Test
    void replacesDiffsAndDeletesByFile() throws Exception {
        String file = manifest.toString();
        kubectl.run("create", "-f", file);
        assertThat(kubectl.attempt("create", "-f", file).err()).contains("(AlreadyExists)");
        kubectl.file("one.yaml", gadget("5"));
        Kubectl.Output diff = kubectl.attempt("diff", "-f", file);
        assertThat(diff.code()).isEqualTo(1);
        assertThat(diff.out()).contains("-  size: 1").contains("+  size: 5");
        assertThat(kubectl.run("replace", "-f", file)).contains("replaced");
        assertThat(kubectl.run("delete", "-f", file)).contains("deleted");
        assertThat(kubectl.run("delete", "-f", file, "--ignore-not-found")).isEmpty();
        assertThat(kubectl.attempt("get", "gd", "one").err()).contains("(NotFound)");
    }

    private void makeReady() throws Exception {
        http.patch(one + "/status", MERGE, "{status: {conditions: [{type: Ready, status: 'True', reason: Made}]}}");
    }

    private static String gadget(String size) {
        return """
                apiVersion: test.svc.platform/v1
                kind: Gadget
                metadata:
                  name: one
                spec:
                  ref: abc
                  size: %s
                """.formatted(size);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
