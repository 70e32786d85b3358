package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.process.ProcessLimits;
import svc.storage.StorageHttp.Answer;
import svc.storage.image.ImageLimits;
import svc.storage.image.Pictures;

/** An image that a stranger uploads costs the caller that requests it, and no neighbour. */
class HostileImagesTest {
    private static final String INVALID = "422 InvalidRequest: Invalid source image";
    private static final String UNKNOWN = "422 InvalidRequest: Source image type not supported";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests(ImageLimits.of(2, false));
        for (String ref : new String[] {"one", "neighbour"}) {
            storage.project(ref);
            storage.bucket(ref, "open", true);
            put(storage, ref, "photo.jpg", Pictures.write(Pictures.halves(400, 200), "jpg"));
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void put(StorageForTests where, String ref, String name, byte[] bytes) {
        assertThat(where.upload(ref, "open/" + name, SERVICE, bytes, "x-upsert", "true")
                        .status())
                .isEqualTo(200);
    }

    private static Answer render(StorageForTests where, String ref, String path) {
        return where.get(ref, "/render/image/public/open/" + path, "");
    }

    private static String refusal(String name, byte[] bytes) {
        put(storage, "one", name, bytes);
        Answer answer = render(storage, "one", name + "?width=10");
        assertThat(answer.status()).isEqualTo(400);
        return answer.refusal();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsNoImageIsRefused() {
        byte[] random = new byte[5_000];
        new Random(1).nextBytes(random);
        assertThat(refusal("random.jpg", random)).isEqualTo(UNKNOWN);
        assertThat(refusal("page.png", text("<html><script>alert(1)</script>"))).isEqualTo(UNKNOWN);
        assertThat(refusal("short", text("x"))).isEqualTo(UNKNOWN);
        assertThat(refusal("empty.png", new byte[0])).isEqualTo(UNKNOWN);
        assertThat(refusal(
                        "drawing.svg",
                        text("<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>")))
                .isEqualTo(UNKNOWN);
        assertThat(refusal("start.jpg", Pictures.join(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}, random)))
                .isEqualTo(INVALID);
    }

    @Test
    void whatIsCutOffIsRefused() {
        var image = Pictures.halves(300, 200);
        for (String format : List.of("png", "jpg", "gif")) {
            byte[] whole = Pictures.write(image, format);
            assertThat(refusal("half." + format, Arrays.copyOf(whole, whole.length / 2)))
                    .as(format)
                    .isEqualTo(INVALID);
            assertThat(refusal("head." + format, Arrays.copyOf(whole, 20)))
                    .as(format)
                    .isEqualTo(INVALID);
        }
    }

    @Test
    void theNameAndTheTypeOfAFileDoNotMatter() {
        storage.upload(
                "one",
                "open/notes.txt",
                SERVICE,
                Pictures.write(Pictures.halves(40, 20), "png"),
                "content-type",
                "text/html");
        Answer answer = render(storage, "one", "notes.txt?width=10");
        assertThat(answer.header("content-type")).isEqualTo("image/png");
        assertThat(Pictures.read(answer.bytes()).getWidth()).isEqualTo(10);
    }

    @Test
    void whatIsTooLargeIsRefusedBeforeItIsDecoded() {
        byte[] bomb = Pictures.bomb(10_000, 5_100);
        assertThat(bomb.length).isLessThan(100_000);
        assertThat(refusal("bomb.png", bomb)).isEqualTo("422 InvalidRequest: Source image resolution is too big");
        assertThat(refusal("wide.png", Pictures.bomb(1_000_000, 51)))
                .isEqualTo("422 InvalidRequest: Source image resolution is too big");
        assertThat(refusal("huge.jpg", new byte[26 << 20]))
                .isEqualTo("422 InvalidRequest: Source image file is too big");
        // As large as it may be.
        put(storage, "one", "large.png", Pictures.bomb(10_000, 5_000));
        assertThat(Pictures.read(render(storage, "one", "large.png?width=100").bytes())
                        .getHeight())
                .isEqualTo(50);
    }

    @Test
    void manyFramesCostOne() {
        put(storage, "one", "long.gif", Pictures.animatedGif(20, 20, 3_000));
        assertThat(Pictures.read(render(storage, "one", "long.gif?width=10").bytes())
                        .getWidth())
                .isEqualTo(10);
    }

    @Test
    void aProcessThatEndsCostsItsOwnImageAlone() {
        put(storage, "one", "slow.png", Pictures.bomb(9_000, 5_000));
        var slow = CompletableFuture.supplyAsync(() -> render(storage, "one", "slow.png?width=2000&format=avif"));
        // The first is tried again, because it may have ended before it saw the image.
        kill();
        Answer beside = render(storage, "neighbour", "photo.jpg?width=20");
        assertThat(Pictures.read(beside.bytes()).getWidth()).isEqualTo(20);
        // The neighbour's process may still count as working.
        await().until(() -> {
            killWorking();
            return slow.isDone();
        });
        assertThat(slow.join().refusal()).isEqualTo("422 InvalidRequest: Source image cannot be processed");
        // Not tried again for a while.
        assertThat(render(storage, "one", "slow.png?width=2000&format=avif").refusal())
                .isEqualTo("422 InvalidRequest: Source image cannot be processed");
        assertThat(render(storage, "one", "photo.jpg?width=21").status()).isEqualTo(200);
    }

    private static void kill() {
        await().until(() -> !storage.images().workingIds().isEmpty());
        killWorking();
    }

    private static void killWorking() {
        storage.images().workingIds().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Test
    void aProcessSeesOneProjectAndNothingOfOurs() throws IOException {
        render(storage, "one", "photo.jpg?width=31");
        List<Long> ofOne = storage.images().processIds();
        render(storage, "neighbour", "photo.jpg?width=31");
        render(storage, "neighbour", "photo.jpg?width=32");
        List<Long> both = storage.images().processIds();
        assertThat(both).hasSizeLessThanOrEqualTo(3).anyMatch(pid -> !ofOne.contains(pid));
        for (long pid : both) {
            Path process = Path.of("/proc", Long.toString(pid));
            assertThat(Files.readString(process.resolve("environ")).split("\0"))
                    .allMatch(variable -> variable.matches("(DENO_DIR|DENO_NO_UPDATE_CHECK|NO_COLOR)=.*"));
            assertThat(Files.readString(process.resolve("cmdline"))).doesNotContain("--allow");
        }
    }

    @Test
    void timeAndMemoryOfAnImageAreLimited() {
        ImageLimits limits = ImageLimits.of(1, false);
        var memory = new ProcessLimits(Duration.ofSeconds(20), 400L << 20);
        try (var tight = new StorageForTests(with(limits, memory))) {
            tight.project("one");
            tight.bucket("one", "open", true);
            put(tight, "one", "large.png", Pictures.bomb(9_990, 5_000));
            put(tight, "one", "photo.jpg", Pictures.write(Pictures.halves(400, 200), "jpg"));
            var gif = Pictures.write(Pictures.halves(7_000, 7_000), "gif");
            put(tight, "one", "large.gif", gif);
            assertThat(render(tight, "one", "large.gif?width=2000&format=webp").refusal())
                    .isEqualTo("422 InvalidRequest: Source image needs too much memory");
            assertThat(render(tight, "one", "photo.jpg?width=10").status()).isEqualTo(200);
        }
        var time = new ProcessLimits(Duration.ofSeconds(20), 720L << 20).withProcessorTime(Duration.ofMillis(400));
        try (var tight = new StorageForTests(with(limits, time))) {
            tight.project("one");
            tight.bucket("one", "open", true);
            put(tight, "one", "large.png", Pictures.bomb(9_990, 5_000));
            assertThat(render(tight, "one", "large.png?width=2000&format=avif").refusal())
                    .isEqualTo("422 InvalidRequest: Source image takes too much time");
            put(tight, "one", "tiny.png", Pictures.write(Pictures.halves(8, 8), "png"));
            assertThat(render(tight, "one", "tiny.png?width=4").status()).isEqualTo(200);
        }
    }

    private static ImageLimits with(ImageLimits limits, ProcessLimits job) {
        return new ImageLimits(
                limits.workers(),
                limits.spare(),
                job,
                limits.recycleBytes(),
                limits.idle(),
                limits.waitingOfOne(),
                limits.waiting(),
                limits.patience());
    }

    @Test
    void withoutAProcessOriginalsAreServed() {
        for (StorageForTests without : List.of(
                new StorageForTests(ImageLimits.of(0, false), () -> null),
                new StorageForTests(ImageLimits.of(1, false), () -> {
                    throw new IllegalStateException("no sandbox here");
                }))) {
            try (without) {
                without.project("one");
                without.bucket("one", "open", true);
                put(without, "one", "photo.jpg", Pictures.write(Pictures.halves(40, 20), "jpg"));
                Answer refused = render(without, "one", "photo.jpg?width=10");
                assertThat(refused.status()).isEqualTo(501);
                assertThat(refused.refusal())
                        .isEqualTo("501 FeatureNotEnabled: Image transformation is not enabled on this platform."
                                + " Originals are served under /object/.");
                assertThat(without.get("one", "/object/public/open/photo.jpg", "")
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aProjectHasSoManyNewImages() {
        storage.project("eager");
        storage.bucket("eager", "open", true);
        put(storage, "eager", "photo.jpg", Pictures.write(Pictures.halves(40, 20), "jpg"));
        assertThat(render(storage, "eager", "photo.jpg?width=10").status()).isEqualTo(200);
        storage.withoutImages("eager");
        Answer refused = render(storage, "eager", "photo.jpg?width=11");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("code")).isEqualTo("SlowDown");
        assertThat(refused.header("retry-after")).isEqualTo("1");
        // What is cached costs nothing.
        assertThat(render(storage, "eager", "photo.jpg?width=10").status()).isEqualTo(200);
        assertThat(render(storage, "neighbour", "photo.jpg?width=11").status()).isEqualTo(200);
    }

    @Test
    void nothingIsHeldAfterwards() {
        refusal("x.gif", text("GIF89a"));
        await().until(storage::idle);
    }
}
