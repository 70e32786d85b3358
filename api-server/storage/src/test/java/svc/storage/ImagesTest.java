package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;
import static svc.storage.image.Pictures.colour;

import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.storage.StorageHttp.Answer;
import svc.storage.image.Pictures;

/** Images come in the requested size and format, to callers that may read the file. */
class ImagesTest {
    private static final String WEBP = "image/avif,image/webp,*/*";

    private static ImageProject images;
    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        images = new ImageProject();
        storage = images.storage();
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    @ParameterizedTest
    @CsvSource({
        "width=100&height=100, 100x100",
        "width=100&height=100&resize=cover, 100x100",
        "width=100&height=100&resize=contain, 100x50",
        "width=100&height=100&resize=fill, 100x100",
        "width=100, 100x50",
        "height=100, 200x100",
        "width=5000, 400x200",
        "width=800&height=100, 400x100",
        "width=100&height=400&resize=fill, 50x200",
        "'', 400x200"
    })
    void sizes(String query, String size) {
        BufferedImage image = Pictures.read(images.render("wide.png?" + query).bytes());
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo(size);
        if (!query.contains("gravity")) {
            assertThat(colour(image, 0.1, 0.5)).isEqualTo("red");
            assertThat(colour(image, 0.9, 0.5)).isEqualTo("blue");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gravity=we, red, red",
        "gravity=noea, blue, blue",
        "gravity=ce, red, blue",
        "gravity=ce&x_offset=0.6, blue, blue",
        "gravity=ea&x_offset=150, red, blue",
        "gravity=fp&x_offset=0.1&y_offset=0.5, red, red"
    })
    void thePartThatIsKept(String query, String left, String right) {
        BufferedImage image = Pictures.read(
                images.render("wide.png?width=100&height=200&" + query).bytes());
        assertThat(image.getWidth()).isEqualTo(100);
        assertThat(colour(image, 0.1, 0.5)).isEqualTo(left);
        assertThat(colour(image, 0.9, 0.5)).isEqualTo(right);
    }

    @ParameterizedTest
    @CsvSource({
        "wide.png?width=50, '', image/png",
        "wide.jpg?width=50, '', image/jpeg",
        "wide.gif?width=50, '', image/gif",
        "wide.jpg?width=50, webp, image/webp",
        "wide.jpg?width=50&format=origin, webp, image/jpeg",
        "wide.jpg?width=50&format=webp, '', image/webp",
        "wide.jpg?width=50&format=avif, '', image/avif"
    })
    void formats(String path, String accepts, String type) {
        Answer answer = accepts.isEmpty() ? images.render(path) : images.render(path, "accept", WEBP);
        assertThat(answer.header("content-type")).isEqualTo(type);
        assertThat(answer.header("vary")).isEqualTo(path.contains("format") ? "" : "Accept");
        if (type.equals("image/avif")) {
            assertThat(new String(answer.bytes(), 4, 8, StandardCharsets.US_ASCII))
                    .isEqualTo("ftypavif");
        } else {
            BufferedImage image = Pictures.read(answer.bytes());
            assertThat(image.getWidth()).isEqualTo(50);
            assertThat(colour(image, 0.9, 0.5)).isEqualTo("blue");
        }
    }

    @Test
    void whatIsMadeCanBeReadAgain() {
        for (String format : new String[] {"webp", "avif"}) {
            images.put(
                    "open/again." + format,
                    images.render("wide.png?format=" + format).bytes());
            BufferedImage image = Pictures.read(
                    images.render("again." + format + "?width=40&format=webp").bytes());
            assertThat(image.getHeight()).isEqualTo(20);
            assertThat(colour(image, 0.1, 0.5)).isEqualTo("red");
        }
    }

    @Test
    void lessQualityIsLess() {
        int good = images.render("wide.jpg?quality=100").bytes().length;
        assertThat(images.render("wide.jpg?quality=20").bytes()).hasSizeLessThan(good);
        assertThat(images.render("wide.jpg?quality=80").bytes())
                .isEqualTo(images.render("wide.jpg").bytes());
    }

    @Test
    void photosAreUprightAndSayNothingOfTheirCamera() {
        images.put("open/turned.jpg", Pictures.turned(Pictures.write(Pictures.halves(400, 200), "jpg")));
        Answer answer = images.render("turned.jpg?width=50");
        BufferedImage image = Pictures.read(answer.bytes());
        assertThat(image.getHeight()).isEqualTo(100);
        assertThat(colour(image, 0.5, 0.1)).isEqualTo("red");
        assertThat(colour(image, 0.5, 0.9)).isEqualTo("blue");
        assertThat(new String(answer.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain("Exif");
    }

    @Test
    void ofAnAnimationThereIsTheFirstFrame() {
        images.put("open/moves.gif", Pictures.animatedGif(40, 20, 30));
        images.put("open/other.png", Pictures.write(Pictures.halves(20, 40), "png"));
        byte[] first = images.render("wide.png?width=40&format=webp").bytes();
        byte[] second = images.render("other.png?width=40&height=20&resize=fill&format=webp")
                .bytes();
        images.put("open/moves.webp", Pictures.animatedWebp(first, second, 40, 20));
        for (String path : new String[] {"moves.gif?width=20", "moves.webp?width=20", "moves.gif?format=webp"}) {
            BufferedImage image = Pictures.read(images.render(path).bytes());
            assertThat(image.getWidth()).isEqualTo(2 * image.getHeight());
            assertThat(colour(image, 0.1, 0.5)).as(path).isEqualTo("red");
        }
    }

    @Test
    void theAnswerCanBeCached() {
        Answer answer = images.render("wide.png?width=60&height=30&quality=70");
        assertThat(answer.header("x-transformations")).isEqualTo("height:30,width:60,resizing_type:fill,quality:70");
        assertThat(answer.header("cache-control")).isEqualTo("max-age=60");
        assertThat(answer.header("last-modified")).endsWith("GMT");
        assertThat(answer.header("content-length")).isEqualTo(Integer.toString(answer.bytes().length));
        String etag = answer.header("etag");
        String path = ImageProject.RENDERED + "wide.png?width=60&height=30&quality=70";
        assertThat(storage.get("one", path, "", "if-none-match", etag).status()).isEqualTo(304);
        assertThat(storage.get("one", path, "", "if-none-match", etag, "accept", "image/webp")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", path + "&download=x.png", "").header("content-disposition"))
                .startsWith("attachment; filename=\"x.png\";");
        Answer head = storage.call("one", "HEAD", path, "");
        assertThat(head.header("content-length")).isEqualTo(answer.header("content-length"));
        assertThat(head.bytes()).isEmpty();
        images.put("open/wide2.png", Pictures.write(Pictures.halves(40, 20), "png"));
        assertThat(images.render("wide2.png?width=60&height=30&quality=70").header("etag"))
                .isNotEqualTo(etag);
    }

    @Test
    void aCachedImageNeedsNoProcessAndNoTurn() {
        byte[] first = images.render("wide.png?width=61").bytes();
        int before = storage.newImages();
        storage.images().processIds().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        await().until(() -> storage.images().processIds().stream()
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()));
        assertThat(images.render("wide.png?width=61").bytes()).isEqualTo(first);
        assertThat(storage.newImages()).isEqualTo(before);
        assertThat(storage.images().processIds())
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }

    @Test
    void whoMayReadTheFileMayReadItInAnySize() {
        String closed = "/render/image/authenticated/closed/wide.png?width=10";
        assertThat(storage.get("one", closed, SERVICE).status()).isEqualTo(200);
        assertThat(storage.get("one", closed, ALICE).refusal()).isEqualTo("404 not_found: Object not found");
        assertThat(storage.get("one", "/render/image/public/closed/wide.png?width=10", "")
                        .refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        // The same names in another project.
        assertThat(storage.get("two", closed, SERVICE).refusal()).isEqualTo("404 not_found: Object not found");
        storage.policy(
                "one", "FOR SELECT TO PUBLIC USING (STORAGE.operation() = 'storage.render.image_authenticated')");
        assertThat(storage.get("one", closed, ALICE).status()).isEqualTo(200);
        assertThat(storage.get("one", "/object/authenticated/closed/wide.png", ALICE)
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aSignedUrlIsOfOneFormOfTheImage() {
        Answer made = storage.call(
                "one",
                "POST",
                "/object/sign/closed/wide.png",
                SERVICE,
                "{\"expiresIn\":60,\"transform\":{\"width\":100,\"height\":100,\"resize\":\"contain\",\"format\":\"origin\"}}");
        String url = made.text("signedURL");
        assertThat(url).startsWith("/render/image/sign/closed/wide.png?token=");
        Answer image = storage.get("one", url + "&width=300&resize=fill", "", "accept", WEBP);
        assertThat(image.header("content-type")).isEqualTo("image/png");
        assertThat(image.header("expires")).endsWith("GMT");
        assertThat(Pictures.read(image.bytes()).getHeight()).isEqualTo(50);

        String token = url.split("token=")[1];
        String invalid = "400 InvalidSignature: Invalid signature";
        assertThat(storage.get("one", "/object/sign/closed/wide.png?token=" + token, "")
                        .refusal())
                .isEqualTo(invalid);
        assertThat(storage.get("one", "/render/image/sign/closed/other.png?token=" + token, "")
                        .refusal())
                .isEqualTo(invalid);
        assertThat(storage.get("two", "/render/image/sign/closed/wide.png?token=" + token, "")
                        .refusal())
                .startsWith("400 InvalidJWT");
        String plain = storage.call("one", "POST", "/object/sign/closed/wide.png", SERVICE, "{\"expiresIn\":60}")
                .text("signedURL");
        assertThat(storage.get("one", plain.replace("/object/", "/render/image/"), "")
                        .refusal())
                .isEqualTo(invalid);
        assertThat(storage.call(
                                "one",
                                "POST",
                                "/object/sign/closed/wide.png",
                                SERVICE,
                                "{\"expiresIn\":60,\"transform\":{\"quality\":10}}")
                        .refusal())
                .isEqualTo("400 Error: body/transform/quality must be >= 20");
        storage.pass(java.time.Duration.ofSeconds(61));
        assertThat(storage.get("one", url, "").refusal()).startsWith("400 InvalidJWT");
    }

    @Test
    void theSameImageIsMadeOnce() {
        int before = storage.newImages();
        byte[][] seen = new byte[12][];
        Thread[] readers = new Thread[seen.length];
        for (int i = 0; i < seen.length; i++) {
            int number = i;
            readers[i] = Thread.startVirtualThread(() -> seen[number] =
                    images.render("wide.jpg?width=77&format=webp").bytes());
        }
        Arrays.stream(readers).forEach(reader -> {
            try {
                reader.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        for (byte[] one : seen) {
            assertThat(one).isEqualTo(seen[0]);
        }
        assertThat(storage.newImages()).isEqualTo(before + 1);
        await().until(storage::idle);
    }
}
