package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.ALICE;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Before the right of a caller is known, a text costs what its bytes cost, whatever characters it has: every call that takes
 * a name is made with marks, which normalization orders in the square of their number, and with as many letters.
 */
class LinearCostsTest {
    private static final int CHARACTERS = 200_000;

    /** Of letters, to which other work of the process adds. */
    private static final int MAX_RATIO = 10;

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", true);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void callAll(String text) {
        String other = "\"" + text + "\"";
        call("POST", "/object/list/b", "{\"prefix\":" + other + "}");
        call("POST", "/object/list/b", "{\"prefix\":\"\",\"search\":" + other + "}");
        call("POST", "/object/list-v2/b", "{\"prefix\":" + other + "}");
        for (String path : new String[] {"/object/move", "/object/copy"}) {
            call("POST", path, "{\"bucketId\":\"b\",\"sourceKey\":" + other + ",\"destinationKey\":\"x\"}");
            call("POST", path, "{\"bucketId\":\"b\",\"sourceKey\":\"x\",\"destinationKey\":" + other + "}");
            call(
                    "POST",
                    path,
                    "{\"bucketId\":\"b\",\"sourceKey\":\"x\",\"destinationKey\":" + other + ",\"recursive\":true}");
        }
        call("POST", "/object/sign/b", "{\"expiresIn\":60,\"paths\":[" + other + "]}");
        call("DELETE", "/object/b", "{\"prefixes\":[" + other + "]}");
        call("DELETE", "/object/b", "{\"prefixes\":[" + other + "],\"recursive\":true}");
    }

    private static void call(String method, String path, String body) {
        assertThat(storage.call("one", method, path, ALICE, body).status()).isIn(200, 400);
    }

    @Test
    void marksCostAsMuchAsLetters() {
        String letters = "\u00e9\u00fc".repeat(CHARACTERS / 2);
        String marks = "\u0301\u0316".repeat(CHARACTERS / 2);
        callAll(letters);
        long linear = cpu(() -> callAll(letters));
        assertThat(cpu(() -> callAll(marks))).isLessThan(MAX_RATIO * linear);
    }

    /** Of the process: calls run on its event loops and on threads of their own. */
    private static long cpu(Runnable work) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getProcessCpuTime();
        work.run();
        return system.getProcessCpuTime() - before;
    }
}
