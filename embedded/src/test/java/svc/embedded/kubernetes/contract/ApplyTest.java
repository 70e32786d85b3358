package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Server-side apply: field ownership, conflicts, merging of lists, removal of fields. */
class ApplyTest extends ContractTest {

    @Test
    void createsWhatIsMissingAndMergesIntoWhatIsThere() throws Exception {
        assertThat(http.apply(one, "a", gadget("one", "ref: abc")).code()).isEqualTo(201);
        Reply second = http.apply(one, "b", gadget("one", "tags: {x: y}"));
        assertThat(second.code()).isEqualTo(200);
        assertThat(second.body().at("/spec/ref").asText()).isEqualTo("abc");
        assertThat(second.body().at("/spec/tags/x").asText()).isEqualTo("y");
        assertThat(manager(second.body(), "b").at("/fieldsV1/f:spec/f:tags").has("f:x"))
                .isTrue();
        assertThat(manager(second.body(), "a").at("/fieldsV1/f:spec").has("f:tags"))
                .isFalse();
    }

    @Test
    void removesAFieldThatItsOnlyOwnerNoLongerApplies() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc, tags: {x: y, z: w}"));
        http.apply(one, "b", gadget("one", "tags: {z: w}"));
        Reply dropped = http.apply(one, "a", gadget("one", "ref: abc"));
        assertThat(dropped.body().at("/spec/tags").toString()).isEqualTo("{\"z\":\"w\"}");
        Reply emptied = http.apply(one, "b", gadget("one", ""));
        assertThat(emptied.body().path("spec").has("tags")).isFalse();
    }

    @Test
    void conflictsWithTheOwnerOfAnotherValueUnlessForced() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc, size: 2"));
        assertThat(http.apply(one, "b", gadget("one", "size: 2")).code()).isEqualTo(200);
        Reply refused = http.apply(one, "c", gadget("one", "size: 3"));
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
        assertThat(refused.message())
                .isEqualTo("Apply failed with 2 conflicts: conflicts with \"a\":\n- .spec.size\n"
                        + "conflicts with \"b\":\n- .spec.size");
        assertThat(refused.body().at("/details/causes/0/reason").asText()).isEqualTo("FieldManagerConflict");

        Reply forced = http.patch(
                one + "?fieldManager=c&force=true", "application/apply-patch+yaml", gadget("one", "size: 3"));
        assertThat(forced.code()).isEqualTo(200);
        assertThat(forced.body().at("/spec/size").asInt()).isEqualTo(3);
        assertThat(manager(forced.body(), "a").at("/fieldsV1/f:spec").has("f:size"))
                .isFalse();
    }

    @Test
    void anUpdateTakesTheFieldsItChanges() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc, size: 2"));
        http.patch(one + "?fieldManager=hand", MERGE, "{spec: {size: 9}}");
        assertThat(http.apply(one, "a", gadget("one", "ref: abc, size: 2")).message())
                .contains("\"hand\"");
        assertThat(http.apply(one, "a", gadget("one", "ref: abc"))
                        .body()
                        .at("/spec/size")
                        .asInt())
                .isEqualTo(9);
    }

    @Test
    void mergesListsByTheirKeys() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc, parts: [{name: p, color: red}, {name: q}]"));
        Reply joined = http.apply(one, "b", gadget("one", "parts: [{name: r, color: blue}]"));
        assertThat(joined.body().at("/spec/parts")).hasSize(3);
        Reply reduced = http.apply(one, "a", gadget("one", "ref: abc, parts: [{name: q}]"));
        assertThat(sorted(reduced.body().at("/spec/parts")))
                .isEqualTo("[{\"name\":\"q\"},{\"color\":\"blue\",\"name\":\"r\"}]");
    }

    @Test
    void changesNothingWhenNothingIsNew() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc"));
        String before = http.apply(one, "a", gadget("one", "ref: abc"))
                .body()
                .at("/metadata/resourceVersion")
                .asText();
        Thread.sleep(1100);
        JsonNode again = http.apply(one, "a", gadget("one", "ref: abc")).body();
        assertThat(again.at("/metadata/resourceVersion").asText()).isEqualTo(before);
    }

    @Test
    void ownsFinalizersOneByOne() throws Exception {
        http.apply(one, "a", gadget("one", "ref: abc"));
        String held = "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one, finalizers: [%s]}}";
        http.apply(one, "a2", held.formatted("svc/a"));
        Reply both = http.apply(one, "b", held.formatted("svc/b"));
        assertThat(both.body().at("/metadata/finalizers").toString()).isEqualTo("[\"svc/a\",\"svc/b\"]");
        Reply left = http.apply(one, "a2", "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one}}");
        assertThat(left.body().at("/metadata/finalizers").toString()).isEqualTo("[\"svc/b\"]");
    }

    @Test
    void mergesTheContainersOfADeployment() throws Exception {
        String path = inNamespace("/apis/apps/v1", "deployments") + "/d";
        String deployment =
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels:"
                        + " {app: d}}, template: {metadata: {labels: {app: d}}, spec: {containers: [%s]}}}}";
        http.apply(path, "a", deployment.formatted("{name: c, image: i, env: [{name: A, value: '1'}]}"));
        Reply merged = http.apply(path, "b", deployment.formatted("{name: c, env: [{name: B, value: '2'}]}"));
        assertThat(merged.body().at("/spec/template/spec/containers/0/env")).hasSize(2);
        Reply reduced = http.apply(path, "a", deployment.formatted("{name: c, image: i}"));
        assertThat(reduced.body().at("/spec/template/spec/containers/0/env").toString())
                .isEqualTo("[{\"name\":\"B\",\"value\":\"2\"}]");
    }

    @Test
    void needsAManagerAndNoOwnersOfItsOwn() throws Exception {
        Reply anonymous = http.patch(one, "application/apply-patch+yaml", gadget("one", "ref: abc"));
        assertThat(anonymous.code()).isEqualTo(422);
        assertThat(anonymous.message())
                .isEqualTo(
                        "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply"
                                + " patch");
        String owned =
                "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one, managedFields: [{manager:"
                        + " x}]}, spec: {ref: abc}}";
        assertThat(http.apply(one, "a", owned).code()).isEqualTo(400);
    }

    @Test
    void anUnknownFieldIsNotApplied() throws Exception {
        Reply reply = http.apply(one, "a", gadget("one", "ref: abc, nmae: x"));
        assertThat(reply.code()).isEqualTo(api.has(KnownDifference.UNKNOWN_FIELDS_ARE_DROPPED_BY_APPLY) ? 201 : 500);
        assertThat(http.get(one).body().path("spec").has("nmae")).isFalse();
    }

    /** JSON with sorted fields: their order is not part of the contract. */
    private static String sorted(JsonNode node) throws Exception {
        var mapper = JsonMapper.builder()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
        return mapper.writeValueAsString(mapper.treeToValue(node, Object.class));
    }

    private static JsonNode manager(JsonNode object, String name) {
        for (JsonNode entry : object.at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(name)) {
                return entry;
            }
        }
        throw new AssertionError("no manager " + name + " in " + object.at("/metadata/managedFields"));
    }
}
