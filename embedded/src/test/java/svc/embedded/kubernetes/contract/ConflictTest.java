package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.copy;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Optimistic locking, status codes of refusals, dry run. */
class ConflictTest extends ContractTest {

    @Test
    void refusesAStaleVersionASecondCreationAndAnotherIncarnation() throws Exception {
        ObjectNode first = copy(http.post(gadgets, gadget("one", "ref: abc")).body());
        Reply again = http.post(gadgets, gadget("one", "ref: abc"));
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.reason()).isEqualTo("AlreadyExists");

        http.patch(one, MERGE, "{spec: {size: 2}}");
        first.withObject("/spec").put("size", 3);
        Reply stale = http.put(one, first);
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.reason()).isEqualTo("Conflict");
        assertThat(stale.message()).contains("the object has been modified");

        first.withObject("/metadata").remove("resourceVersion");
        assertThat(http.put(one, first).code()).isEqualTo(422);
        ObjectNode current = copy(http.get(one).body());
        current.withObject("/metadata").put("uid", "another");
        assertThat(http.put(one, current).code()).isEqualTo(409);
        assertThat(http.delete(one, "{preconditions: {uid: another}}").code()).isEqualTo(409);
    }

    @Test
    void patchesWithoutAVersionAllArrive() throws Exception {
        http.post(gadgets, gadget("one", "ref: abc"));
        List<Thread> writers = new ArrayList<>();
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            String patch = "{spec: {tags: {t%d: v}}}".formatted(i);
            writers.add(Thread.ofVirtual().start(() -> {
                try {
                    failed.addAndGet(http.patch(one, MERGE, patch).code() == 200 ? 0 : 1);
                } catch (Exception e) {
                    failed.incrementAndGet();
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(failed).hasValue(0);
        assertThat(http.get(one).body().at("/spec/tags")).hasSize(50);
        assertThat(http.get(one).body().at("/metadata/generation").asInt()).isEqualTo(51);
    }

    @Test
    void answersWhatItCannotDoWithTheRightStatus() throws Exception {
        assertThat(http.get(one).reason()).isEqualTo("NotFound");
        assertThat(http.get(one).body().at("/details/kind").asText()).isEqualTo("gadgets");
        assertThat(http.get(inNamespace("/apis/test.svc.platform/v1", "none")).code())
                .isEqualTo(404);
        assertThat(http.patch(one, "text/plain", "{}").code()).isEqualTo(415);
        assertThat(http.post(gadgets, "{apiVersion: v1, kind: Gadget, metadata: {name: x}}")
                        .code())
                .isEqualTo(400);
        assertThat(http.post(gadgets, gadget("UPPER", "ref: abc")).code()).isEqualTo(422);
        assertThat(http.post("/apis/test.svc.platform/v1/gadgets", gadget("one", "ref: abc"))
                        .code())
                .isEqualTo(404);
        assertThat(http.post("/api/v1/configmaps", "{metadata: {name: one}}").code())
                .isEqualTo(405);
        assertThat(http.post("/apis/test.svc.platform/v1/namespaces/none/gadgets", gadget("one", "ref: abc"))
                        .message())
                .isEqualTo("namespaces \"none\" not found");
    }

    @Test
    void aDryRunStoresNothing() throws Exception {
        assertThat(http.post(gadgets + "?dryRun=All", gadget("one", "ref: abc")).code())
                .isEqualTo(201);
        assertThat(http.get(one).code()).isEqualTo(404);
    }
}
