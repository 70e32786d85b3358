package svc.embedded.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.copy;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi.Reply;

/** What is wanted and what is are written by different doors. */
class StatusSubresourceTest extends ApiTest {
    private static final String ONE = GADGETS + "/one";

    @Test
    void theMainDoorIgnoresStatusAndTheStatusDoorIgnoresTheRest() throws Exception {
        String sent =
                "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one}, spec: {ref: abc}, status:"
                        + " {observedGeneration: 7}}";
        assertThat(http.post(GADGETS, sent).body().has("status")).isFalse();
        assertThat(http.patch(ONE, MERGE, "{status: {observedGeneration: 7}}")
                        .body()
                        .has("status"))
                .isFalse();

        Reply status = http.patch(
                ONE + "/status",
                MERGE,
                "{metadata: {labels: {a: b}}, spec: {size: 9}, status: {observedGeneration: 1}}");
        assertThat(status.body().at("/status/observedGeneration").asInt()).isEqualTo(1);
        assertThat(status.body().at("/spec/size").asInt()).isEqualTo(1);
        assertThat(status.body().at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(status.body().at("/metadata/generation").asInt()).isEqualTo(1);

        ObjectNode object = copy(http.get(ONE).body());
        object.withObject("/spec").put("size", 2);
        object.withObject("/status").put("observedGeneration", 99);
        Reply main = http.put(ONE, object);
        assertThat(main.body().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(main.body().at("/status/observedGeneration").asInt()).isEqualTo(1);
    }

    @Test
    void appliesConditionsByTypeAndOwnsThemApart() throws Exception {
        http.apply(ONE, "user", gadget("one", "ref: abc"));
        String applied =
                "{apiVersion: test.svc.platform/v1, kind: Gadget, metadata: {name: one}, status: {conditions: [%s]}}";
        http.apply(ONE + "/status", "a", applied.formatted("{type: A, status: 'True'}"));
        Reply both = http.apply(ONE + "/status", "b", applied.formatted("{type: B, status: 'False'}"));
        assertThat(both.body().at("/status/conditions")).hasSize(2);
        Reply one = http.apply(ONE + "/status", "a", applied.formatted(""));
        assertThat(one.body().at("/status/conditions/0/type").asText()).isEqualTo("B");
        assertThat(one.body().at("/metadata/managedFields/1/subresource").asText())
                .isEqualTo("status");
        assertThat(http.apply(GADGETS + "/none/status", "a", applied.formatted(""))
                        .code())
                .isEqualTo(404);
    }
}
