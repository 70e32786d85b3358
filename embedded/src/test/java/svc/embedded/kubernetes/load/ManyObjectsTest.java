package svc.embedded.kubernetes.load;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.GADGETS;
import static svc.embedded.kubernetes.HttpApi.gadget;
import static svc.embedded.kubernetes.HttpApi.line;

import java.io.InputStream;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;

/** Lists and initial watch events with as many objects as one machine holds. */
class ManyObjectsTest extends ApiTest {
    @Test
    void servesTwoThousandObjects() throws Exception {
        for (int i = 0; i < 2000; i++) {
            assertThat(http.post(GADGETS, gadget("g" + i, "ref: abc")).code()).isEqualTo(201);
        }
        assertThat(http.get(GADGETS).body().path("items")).hasSize(2000);
        try (InputStream watch = http.stream(GADGETS + "?watch=1")) {
            for (int i = 0; i < 2000; i++) {
                assertThat(line(watch).path("type").asText()).isEqualTo("ADDED");
            }
        }
    }
}
