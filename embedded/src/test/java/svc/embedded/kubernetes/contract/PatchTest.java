package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;
import svc.embedded.kubernetes.json.Json;

/** The formats of patches: JSON patch, JSON merge patch, strategic merge patch. Server-side apply is {@link ApplyTest}. */
class PatchTest extends ContractTest {
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    @BeforeEach
    void createGadget() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc, tags: {x: y, z: w}, parts: [{name: p}, {name: q}]"));
    }

    @Test
    void aMergePatchReplacesListsAndRemovesByNull() throws Exception {
        JsonNode patched = http.patch(one, MERGE, "{spec: {tags: {x: null, n: v}, parts: [{name: r}]}}")
                .body();
        assertThat(patched.at("/spec/tags"))
                .isEqualTo(Json.object().put("n", "v").put("z", "w"));
        assertThat(patched.at("/spec/parts").toString()).isEqualTo("[{\"name\":\"r\"}]");
        assertThat(patched.at("/metadata/generation").asInt()).isEqualTo(2);
    }

    @Test
    void aPatchThatChangesNothingKeepsTheVersion() throws Exception {
        String version = http.get(one).body().at("/metadata/resourceVersion").asText();
        Reply patched = http.patch(one, MERGE, "{spec: {ref: abc}}");
        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.body().at("/metadata/resourceVersion").asText()).isEqualTo(version);
    }

    @Test
    void aJsonPatchIsAppliedWholeOrNotAtAll() throws Exception {
        Reply patched = http.patch(
                one,
                JSON_PATCH,
                "[{op: test, path: /spec/size, value: 1}, {op: replace, path: /spec/size, value: 3},"
                        + " {op: add, path: /spec/parts/-, value: {name: r}}, {op: remove, path: /spec/tags/x}]");
        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.body().at("/spec/parts")).hasSize(3);
        assertThat(patched.body().at("/spec/tags").toString()).isEqualTo("{\"z\":\"w\"}");
        Reply refused = http.patch(
                one,
                JSON_PATCH,
                "[{op: replace, path: /spec/size, value: 4}, {op: test, path: /spec/ref, value: other}]");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(http.get(one).body().at("/spec/size").asInt()).isEqualTo(3);
    }

    @Test
    void aPatchWithAStaleVersionIsAConflict() throws Exception {
        String stale = http.get(one).body().at("/metadata/resourceVersion").asText();
        http.patch(one, MERGE, "{spec: {size: 2}}");
        Reply refused = http.patch(one, MERGE, "{metadata: {resourceVersion: '" + stale + "'}, spec: {size: 3}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
    }

    @Test
    void aStrategicPatchMergesBuiltInListsAndIsRefusedOnCustomResources() throws Exception {
        assertThat(http.patch(one, STRATEGIC, "{spec: {size: 2}}").code()).isEqualTo(415);
        String deployments = inNamespace("/apis/apps/v1", "deployments");
        http.post(deployments, """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web},
                 spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
                  spec: {containers: [{name: a, image: i, env: [{name: A, value: '1'}]}]}}}}""");
        JsonNode merged = http.patch(
                        deployments + "/web",
                        STRATEGIC,
                        "{spec: {template: {spec: {containers: [{name: a, env: [{name: B, value: '2'}]}, {name: b, image: j}]}}}}")
                .body();
        JsonNode containers = merged.at("/spec/template/spec/containers");
        assertThat(containers.findValuesAsText("image")).containsExactlyInAnyOrder("i", "j");
        assertThat(containers.findValuesAsText("value")).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void createsOnlyByApply() throws Exception {
        assertThat(http.patch(gadgets + "/none", MERGE, "{spec: {ref: abc}}").code())
                .isEqualTo(404);
        assertThat(http.patch(one, JSON_PATCH, "[{op: replace, path: /metadata/name, value: two}]")
                        .code())
                .isBetween(400, 422);
    }
}
