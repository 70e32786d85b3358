package svc.chart.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import svc.chart.support.Kubectl;

/** A project with a table of one row, as its clients use it: through the data plane's Service. */
record Shop(InstalledPlatform platform, String ref, String key) {
    static final String NAMESPACE = "svc-system-projects";
    static final String ROWS = "/rest/v1/todos?select=*";
    static final String FUNCTION = "/functions/v1/hello";

    private static final int OK = 200;
    private static final int CREATED = 201;

    /** Applies a Project, waits for it, and fills its table. */
    static Shop open(String name, InstalledPlatform platform, Kubectl kubectl)
            throws IOException, InterruptedException {
        kubectl.run("""
                apiVersion: svc.platform/v1alpha1
                kind: Project
                metadata: {name: %1$s, namespace: %2$s}
                spec: {name: %1$s}
                """.formatted(name, NAMESPACE), "apply", "-f", "-");
        String project = "project/" + name;
        kubectl.run("", "-n", NAMESPACE, "wait", project, "--for=condition=Ready", "--timeout=120s");
        String path = "jsonpath={.status.ref} {.status.anonKey}";
        String[] status =
                kubectl.run("", "-n", NAMESPACE, "get", project, "-o", path).split(" ");
        var shop = new Shop(platform, status[0], status[1]);
        String script = "create table todos (id int primary key, title text); insert into todos values (1, 'it works')";
        shop.manage("/database/query", Map.of("query", script));
        return shop;
    }

    /** Deploys the function, which says this, in its next version. */
    void deploy(String saying) throws IOException {
        deploy("hello", "export default () => new Response('" + saying + "')");
    }

    /** Deploys a function of this name and source, in its next version. */
    void deploy(String name, String source) throws IOException {
        manage("/functions/deploy", Map.of("name", name, "source", source));
    }

    boolean answers(String path) {
        try {
            return platform.ask(ref, key, path).statusCode() == OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** What is answered there. */
    String ask(String path) throws IOException {
        HttpResponse<String> response = platform.ask(ref, key, path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(OK);
        return response.body();
    }

    /** What is answered to this document there. */
    JsonNode send(String path, Object body) throws IOException {
        HttpResponse<String> response = platform.send(ref, key, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(OK);
        return InstalledPlatform.json(response);
    }

    /** Begins to ask for it without a pause. */
    SteadyLoad load(String path) {
        String head =
                "GET " + path + " HTTP/1.1\r\nHost: " + InstalledPlatform.hostOf(ref) + "\r\napikey: " + key + "\r\n";
        return new SteadyLoad(platform.service("data-plane"), head);
    }

    private void manage(String path, Object body) throws IOException {
        HttpResponse<String> done = platform.manage("/projects/" + ref + path, body);
        assertThat(done.statusCode()).as(done.body()).isEqualTo(CREATED);
    }
}
