package svc.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a parsed body holds of the heap: its text, and nothing for each row. */
class PayloadMemoryTest {
    private static final int BYTES = 8 * 1024 * 1024;
    private static final int BODIES = 4;

    private static long heapAfter(List<Payload> held, byte[] body) {
        for (int i = 0; i < BODIES; i++) {
            held.add(Payload.read(body));
        }
        return used();
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void aBodyTakesTheMemoryOfItsText() {
        String row = "{\"a\":1}";
        byte[] body =
                ("[" + (row + ",").repeat(BYTES / (row.length() + 1)) + row + "]").getBytes(StandardCharsets.UTF_8);
        List<Payload> held = new ArrayList<>();
        long before = used();

        long taken = heapAfter(held, body) - before;

        assertThat(held.getFirst().size()).isGreaterThan(1_000_000);
        assertThat(held.getFirst().commonKeys()).isEqualTo(Set.of("a"));
        assertThat(taken).isLessThan(2L * BODIES * BYTES);
    }

    @Test
    void keysThatDifferAreNotKept() {
        var text = new StringBuilder("[");
        for (int i = 0; text.length() < BYTES; i++) {
            text.append(i == 0 ? "" : ",").append("{\"key").append(i).append("\":1}");
        }
        byte[] body = text.append(']').toString().getBytes(StandardCharsets.UTF_8);
        List<Payload> held = new ArrayList<>();
        long before = used();

        long taken = heapAfter(held, body) - before;

        assertThat(held.getFirst().uniform()).isFalse();
        assertThat(taken).isLessThan(2L * BODIES * BYTES);
    }
}
