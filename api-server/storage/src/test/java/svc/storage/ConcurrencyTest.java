package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;

/** Calls on one file at the same time: each has an answer that was right at a moment, and every reader a whole file. */
class ConcurrencyTest {
    private static final int TIMES = 25;

    @Test
    void readersOfAFileThatIsReplacedHaveOneOfItsContents() throws Exception {
        try (var storage = new StorageForTests()) {
            storage.project("one");
            storage.bucket("one", "b", true);
            storage.upload("one", "b/f", SERVICE, "0".repeat(5_000));
            List<Answer> answers = atOnce(
                    number -> storage.upload(
                            "one",
                            "b/f",
                            SERVICE,
                            Integer.toString(number % 10).repeat(5_000 + number),
                            "x-upsert",
                            "true"),
                    number -> storage.upload(
                            "one",
                            "b/f",
                            SERVICE,
                            Integer.toString(number % 10).repeat(9_000 + number),
                            "x-upsert",
                            "true"),
                    number -> storage.get("one", "/object/public/b/f", ""),
                    number -> storage.get("one", "/object/b/f", SERVICE),
                    number -> storage.call("one", "POST", "/object/copy", SERVICE, from("f", "c" + number)));
            assertThat(answers).hasSize(5 * TIMES).allSatisfy(answer -> {
                assertThat(answer.status())
                        .as(answer.toString().substring(0, 40))
                        .isEqualTo(200);
                if (!answer.body().startsWith("{")) {
                    assertThat(answer.body().chars().distinct().count()).isOne();
                    assertThat(answer.header("content-length")).isEqualTo("" + answer.bytes().length);
                }
            });
            await().until(storage::idle);
            storage.sweep("one");
            assertThat(storage.contents("one")).isEqualTo(storage.named("one")).hasSize(1 + TIMES);
        }
    }

    @Test
    void callsThatUndoEachOtherLeaveRowsAndBytesTogether() throws Exception {
        try (var storage = new StorageForTests()) {
            storage.project("one");
            storage.bucket("one", "b", true);
            List<Answer> answers = atOnce(
                    number -> storage.upload("one", "b/f", SERVICE, "new"),
                    number -> storage.upload("one", "b/f", SERVICE, "replaced", "x-upsert", "true"),
                    number -> storage.call("one", "DELETE", "/object/b/f", SERVICE),
                    number -> storage.call("one", "POST", "/object/move", SERVICE, from("f", "g")),
                    number -> storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"f\",\"g\"]}"),
                    number -> storage.get("one", "/object/public/b/f", ""));
            assertThat(answers).hasSize(6 * TIMES).allSatisfy(answer -> {
                if (answer.status() != 200) {
                    assertThat(answer.text("statusCode")).as(answer.toString()).isIn("404", "409");
                } else if (!answer.body().startsWith("{") && !answer.body().startsWith("[")) {
                    assertThat(answer.body()).isIn("new", "replaced");
                }
            });
            await().until(storage::idle);
            storage.sweep("one");
            assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
        }
    }

    private static String from(String source, String destination) {
        return "{\"bucketId\":\"b\",\"sourceKey\":\"" + source + "\",\"destinationKey\":\"" + destination + "\"}";
    }

    /** Each of them so many times, one after the other, beside the others. */
    @SafeVarargs
    private static List<Answer> atOnce(IntFunction<Answer>... calls) throws Exception {
        var answers = new ConcurrentLinkedQueue<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (IntFunction<Answer> call : calls) {
                all.add(threads.submit(() -> {
                    var number = new AtomicInteger();
                    while (number.getAndIncrement() < TIMES) {
                        answers.add(call.apply(number.get()));
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        return List.copyOf(answers);
    }
}
