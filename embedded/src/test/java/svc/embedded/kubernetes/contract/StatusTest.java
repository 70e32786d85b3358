package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.copy;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** The status subresource: spec and status are written through different paths. */
class StatusTest extends ContractTest {

    @Test
    void theMainPathIgnoresStatusAndTheStatusPathIgnoresTheRest() throws Exception {
        String sent =
                "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one}, spec: {ref: abc}, status:"
                        + " {observedGeneration: 7}}";
        assertThat(http.post(gadgets, sent).body().has("status")).isFalse();
        assertThat(http.patch(one, MERGE, "{status: {observedGeneration: 7}}")
                        .body()
                        .has("status"))
                .isFalse();

        Reply status = http.patch(
                one + "/status",
                MERGE,
                "{metadata: {labels: {a: b}}, spec: {size: 9}, status: {observedGeneration: 1}}");
        assertThat(status.body().at("/status/observedGeneration").asInt()).isEqualTo(1);
        assertThat(status.body().at("/spec/size").asInt()).isEqualTo(1);
        assertThat(status.body().at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(status.body().at("/metadata/generation").asInt()).isEqualTo(1);

        ObjectNode object = copy(http.get(one).body());
        object.withObject("/spec").put("size", 2);
        object.withObject("/status").put("observedGeneration", 99);
        Reply main = http.put(one, object);
        assertThat(main.body().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(main.body().at("/status/observedGeneration").asInt()).isEqualTo(1);
    }

    @Test
    void appliesConditionsByTypeAndOwnsThemApart() throws Exception {
        http.apply(one, "user", gadget("one", "ref: abc"));
        String applied =
                "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one}, status: {conditions: [%s]}}";
        http.apply(one + "/status", "a", applied.formatted("{type: A, status: 'True'}"));
        Reply both = http.apply(one + "/status", "b", applied.formatted("{type: B, status: 'False'}"));
        assertThat(both.body().at("/status/conditions")).hasSize(2);
        Reply left = http.apply(one + "/status", "a", applied.formatted(""));
        assertThat(left.body().at("/status/conditions/0/type").asText()).isEqualTo("B");
        assertThat(left.body().at("/metadata/managedFields").findValuesAsText("subresource"))
                .containsExactly("status");
        assertThat(http.apply(
                                gadgets + "/none/status",
                                "a",
                                applied.replace("one", "none").formatted(""))
                        .code())
                .isEqualTo(404);
    }
}
