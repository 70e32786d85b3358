package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;
import static svc.embedded.kubernetes.TestApi.await;

import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Finalizers, garbage collection by owner references, deletion of namespaces and definitions. */
class DeletionTest extends ContractTest {
    @Test
    void aFinalizerHoldsTheObjectUntilItIsTakenOff() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        http.patch(one, MERGE, "{metadata: {finalizers: [svc/hold]}}");
        Reply marked = http.delete(one);
        assertThat(marked.body().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(marked.body().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(http.patch(one, MERGE, "{metadata: {finalizers: [svc/hold, svc/new]}}")
                        .code())
                .isEqualTo(422);
        assertThat(http.patch(one, MERGE, "{metadata: {finalizers: null}}").code())
                .isEqualTo(200);
        assertThat(http.get(one).code()).isEqualTo(404);
    }

    @Test
    void dependentsGoWithTheirOwner() throws Exception {
        String uid = http.post(gadgets, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(configMaps(), owned("mine", "one", uid));
        http.post(configMaps(), "{metadata: {name: free}}");
        http.delete(one);
        await("the dependent is gone", () -> code(configMaps() + "/mine") == 404);
        assertThat(code(configMaps() + "/free")).isEqualTo(200);
    }

    @Test
    void anOwnerOfTheSameNameButAnotherUidIsNone() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        http.post(configMaps(), owned("stray", "one", "00000000-0000-0000-0000-000000000000"));
        await("the stray is gone", () -> code(configMaps() + "/stray") == 404);
    }

    @Test
    void foregroundDeletionWaitsForBlockingDependents() throws Exception {
        String uid = http.post(gadgets, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(configMaps(), owned("mine", "one", uid));
        http.patch(configMaps() + "/mine", MERGE, "{metadata: {finalizers: [svc/hold]}}");
        http.delete(one, "{propagationPolicy: Foreground}");
        await("the dependent is marked", () -> marked(configMaps() + "/mine"));
        assertThat(code(one)).isEqualTo(200);
        http.patch(configMaps() + "/mine", MERGE, "{metadata: {finalizers: null}}");
        await("the owner is gone", () -> code(one) == 404);
    }

    @Test
    void orphansStay() throws Exception {
        String uid = http.post(gadgets, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(configMaps(), owned("mine", "one", uid));
        http.delete(one, "{propagationPolicy: Orphan}");
        await("the owner is gone", () -> code(one) == 404);
        assertThat(http.get(configMaps() + "/mine").body().at("/metadata/ownerReferences"))
                .isEmpty();
    }

    @Test
    void aNamespaceTakesItsContentsWithIt() throws Exception {
        String team = namespace + "-team";
        String inTeam = "/apis/test.svc.platform/v1/namespaces/" + team + "/gadgets";
        http.post("/api/v1/namespaces", "{metadata: {name: %s}}".formatted(team));
        http.post(inTeam, gadget("one", "ref: abc"));
        http.patch(inTeam + "/one", MERGE, "{metadata: {finalizers: [svc/hold]}}");
        assertThat(http.delete("/api/v1/namespaces/" + team)
                        .body()
                        .at("/status/phase")
                        .asText())
                .isEqualTo("Terminating");
        assertThat(http.post("/api/v1/namespaces/" + team + "/configmaps", "{metadata: {name: late}}")
                        .code())
                .isEqualTo(403);
        await("the gadget is marked", () -> marked(inTeam + "/one"));
        assertThat(code("/api/v1/namespaces/" + team)).isEqualTo(200);
        http.patch(inTeam + "/one", MERGE, "{metadata: {finalizers: null}}");
        await("the namespace is gone", () -> code("/api/v1/namespaces/" + team) == 404);
    }

    @Test
    void aDefinitionTakesItsObjectsWithIt() throws Exception {
        var definition = new TestDefinition(http);
        definition.create("{type: object, x-kubernetes-preserve-unknown-fields: true}");
        String objects = inNamespace(definition.groupVersion(), "ws");
        await("the resource is served", () -> code(objects) == 200);
        assertThat(http.post(objects, definition.object("one", "a: b")).code()).isEqualTo(201);
        definition.delete();
        await("the resource is no longer served", () -> code(definition.groupVersion()) == 404);
        assertThat(code(objects)).isEqualTo(404);
    }

    private static String owned(String name, String owner, String uid) {
        return "{metadata: {name: %s, ownerReferences: [{apiVersion: test.svc.platform/v1, kind: Gadget, name: %s, uid: %s, blockOwnerDeletion: true}]}}"
                .formatted(name, owner, uid);
    }

    private boolean marked(String path) {
        try {
            return http.get(path).body().at("/metadata/deletionTimestamp").isTextual();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
