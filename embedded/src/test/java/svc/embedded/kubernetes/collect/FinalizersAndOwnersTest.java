package svc.embedded.kubernetes.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;
import static svc.embedded.kubernetes.TestApi.await;

import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Finalizers hold objects, owners take their dependents with them. */
class FinalizersAndOwnersTest extends ApiTest {
    private static final String ONE = GADGETS + "/one";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void aFinalizerHoldsTheObjectUntilItIsTakenOff() throws Exception {
        http.post(GADGETS, gadget("one", "ref: abc"));
        http.patch(ONE, MERGE, "{metadata: {finalizers: [svc/hold]}}");
        Reply marked = http.delete(ONE);
        assertThat(marked.body().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(marked.body().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(http.patch(ONE, MERGE, "{metadata: {finalizers: [svc/hold, svc/new]}}")
                        .code())
                .isEqualTo(422);
        assertThat(http.patch(ONE, MERGE, "{metadata: {finalizers: null}}").code())
                .isEqualTo(200);
        assertThat(http.get(ONE).code()).isEqualTo(404);
    }

    @Test
    void dependentsGoWithTheirOwner() throws Exception {
        String uid = http.post(GADGETS, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(CONFIG_MAPS, owned("mine", "one", uid));
        http.post(CONFIG_MAPS, "{metadata: {name: free}}");
        http.delete(ONE);
        await("the dependent is gone", () -> code(CONFIG_MAPS + "/mine") == 404);
        assertThat(code(CONFIG_MAPS + "/free")).isEqualTo(200);
    }

    @Test
    void anOwnerOfTheSameNameButAnotherUidIsNone() throws Exception {
        http.post(GADGETS, gadget("one", "ref: abc"));
        http.post(CONFIG_MAPS, owned("stray", "one", "00000000-0000-0000-0000-000000000000"));
        await("the stray is gone", () -> code(CONFIG_MAPS + "/stray") == 404);
    }

    @Test
    void foregroundDeletionWaitsForBlockingDependents() throws Exception {
        String uid = http.post(GADGETS, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(CONFIG_MAPS, owned("mine", "one", uid));
        http.patch(CONFIG_MAPS + "/mine", MERGE, "{metadata: {finalizers: [svc/hold]}}");
        http.delete(ONE, "{propagationPolicy: Foreground}");
        await("the dependent is marked", () -> marked(CONFIG_MAPS + "/mine"));
        assertThat(code(ONE)).isEqualTo(200);
        http.patch(CONFIG_MAPS + "/mine", MERGE, "{metadata: {finalizers: null}}");
        await("the owner is gone", () -> code(ONE) == 404);
    }

    @Test
    void orphansStay() throws Exception {
        String uid = http.post(GADGETS, gadget("one", "ref: abc"))
                .body()
                .at("/metadata/uid")
                .asText();
        http.post(CONFIG_MAPS, owned("mine", "one", uid));
        http.delete(ONE, "{propagationPolicy: Orphan}");
        await("the owner is gone", () -> code(ONE) == 404);
        assertThat(http.get(CONFIG_MAPS + "/mine").body().at("/metadata/ownerReferences"))
                .isEmpty();
    }

    @Test
    void aNamespaceTakesItsContentsWithIt() throws Exception {
        http.post("/api/v1/namespaces", "{metadata: {name: team}}");
        http.post("/apis/test.svc.platform/v1/namespaces/team/gadgets", gadget("one", "ref: abc"));
        http.patch(
                "/apis/test.svc.platform/v1/namespaces/team/gadgets/one",
                MERGE,
                "{metadata: {finalizers: [svc/hold]}}");
        assertThat(http.delete("/api/v1/namespaces/team")
                        .body()
                        .at("/status/phase")
                        .asText())
                .isEqualTo("Terminating");
        assertThat(http.post("/api/v1/namespaces/team/configmaps", "{metadata: {name: late}}")
                        .code())
                .isEqualTo(403);
        await("the gadget is marked", () -> marked("/apis/test.svc.platform/v1/namespaces/team/gadgets/one"));
        assertThat(code("/api/v1/namespaces/team")).isEqualTo(200);
        http.patch("/apis/test.svc.platform/v1/namespaces/team/gadgets/one", MERGE, "{metadata: {finalizers: null}}");
        await("the namespace is gone", () -> code("/api/v1/namespaces/team") == 404);
    }

    @Test
    void aDefinitionTakesItsObjectsWithIt() throws Exception {
        http.post(GADGETS, gadget("one", "ref: abc"));
        http.delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.test.svc.platform");
        await("the resource is no longer served", () -> code("/apis/test.svc.platform/v1") == 404);
        assertThat(code(GADGETS)).isEqualTo(404);
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

    private int code(String path) {
        try {
            return http.get(path).code();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
