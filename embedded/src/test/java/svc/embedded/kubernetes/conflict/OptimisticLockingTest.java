package svc.embedded.kubernetes.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.MERGE;
import static svc.embedded.kubernetes.HttpApi.copy;
import static svc.embedded.kubernetes.HttpApi.gadget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Two writers never overwrite each other unknowingly. */
class OptimisticLockingTest extends ApiTest {
    private static final String ONE = GADGETS + "/one";

    @Test
    void refusesAStaleVersionASecondCreationAndAnotherIncarnation() throws Exception {
        ObjectNode first = copy(http.post(GADGETS, gadget("one", "ref: abc")).body());
        Reply again = http.post(GADGETS, gadget("one", "ref: abc"));
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.reason()).isEqualTo("AlreadyExists");

        http.patch(ONE, MERGE, "{spec: {size: 2}}");
        first.withObject("/spec").put("size", 3);
        Reply stale = http.put(ONE, first);
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.reason()).isEqualTo("Conflict");
        assertThat(stale.message()).contains("the object has been modified");

        first.withObject("/metadata").remove("resourceVersion");
        assertThat(http.put(ONE, first).code()).isEqualTo(422);
        ObjectNode current = copy(http.get(ONE).body());
        current.withObject("/metadata").put("uid", "another");
        assertThat(http.put(ONE, current).code()).isEqualTo(409);
        assertThat(http.delete(ONE, "{preconditions: {uid: another}}").code()).isEqualTo(409);
    }

    @Test
    void patchesWithoutAVersionAllArrive() throws Exception {
        http.post(GADGETS, gadget("one", "ref: abc"));
        List<Thread> writers = new ArrayList<>();
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            String patch = "{spec: {tags: {t%d: v}}}".formatted(i);
            writers.add(Thread.ofVirtual().start(() -> {
                try {
                    failed.addAndGet(http.patch(ONE, MERGE, patch).code() == 200 ? 0 : 1);
                } catch (Exception e) {
                    failed.incrementAndGet();
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(failed).hasValue(0);
        assertThat(http.get(ONE).body().at("/spec/tags")).hasSize(50);
        assertThat(http.get(ONE).body().at("/metadata/generation").asInt()).isEqualTo(51);
    }

    @Test
    void answersWhatItCannotDoWithTheRightStatus() throws Exception {
        assertThat(http.get(ONE).reason()).isEqualTo("NotFound");
        assertThat(http.get(ONE).body().at("/details/kind").asText()).isEqualTo("gadgets");
        assertThat(http.get("/apis/test.svc.platform/v1/namespaces/default/none")
                        .code())
                .isEqualTo(404);
        assertThat(http.patch(ONE, "text/plain", "{}").code()).isEqualTo(415);
        assertThat(http.post(GADGETS, "{apiVersion: v1, kind: Gadget, metadata: {name: x}}")
                        .code())
                .isEqualTo(400);
        assertThat(http.post(GADGETS, gadget("UPPER", "ref: abc")).code()).isEqualTo(422);
        assertThat(http.post("/apis/test.svc.platform/v1/gadgets", gadget("one", "ref: abc"))
                        .code())
                .isEqualTo(405);
        assertThat(http.post("/apis/test.svc.platform/v1/namespaces/none/gadgets", gadget("one", "ref: abc"))
                        .message())
                .isEqualTo("namespaces \"none\" not found");
    }

    @Test
    void aDryRunStoresNothing() throws Exception {
        assertThat(http.post(GADGETS + "?dryRun=All", gadget("one", "ref: abc")).code())
                .isEqualTo(201);
        assertThat(http.get(ONE).code()).isEqualTo(404);
    }
}
