package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.awt.image.BufferedImage;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;
import svc.storage.content.ContentKey;
import svc.storage.image.ImageLimits;
import svc.storage.image.Pictures;

/** Kept forms of an image live as long as its bytes, and are bounded. */
class KeptImagesTest {
    private static final String RENDERED = "/render/image/public/open/";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests(ImageLimits.of(2, false));
        for (String ref : new String[] {"one", "two"}) {
            storage.project(ref);
            storage.bucket(ref, "open", true);
            storage.bucket(ref, "closed", false);
        }
        BufferedImage wide = Pictures.halves(400, 200);
        put("open/wide.png", Pictures.write(wide, "png"));
        put("open/wide.jpg", Pictures.write(wide, "jpg"));
        put("open/wide.gif", Pictures.write(wide, "gif"));
        put("closed/wide.png", Pictures.write(wide, "png"));
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void put(String path, byte[] bytes) {
        Answer made = storage.upload("one", path, SERVICE, bytes, "x-upsert", "true", "cache-control", "max-age=60");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
    }

    private static Answer render(String path, String... headers) {
        Answer answer = storage.get("one", RENDERED + path, "", headers);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }

    private static ContentKey content(String path) {
        String version =
                storage.get("one", "/object/info/public/open/" + path, "").text("version");
        return new ContentKey(storage.tenant("one").projectId(), UUID.fromString(version));
    }

    @Test
    void theyAreDeletedWithTheFile() {
        put("open/gone.png", Pictures.write(Pictures.halves(40, 20), "png"));
        ContentKey content = content("gone.png");
        render("gone.png?width=10");
        render("gone.png?width=11");
        assertThat(storage.renders().count(content)).isEqualTo(2);
        assertThat(storage.call("one", "DELETE", "/object/open/gone.png", SERVICE)
                        .status())
                .isEqualTo(200);
        await().until(() -> storage.renders().count(content) == 0);
        assertThat(storage.get("one", RENDERED + "gone.png?width=10", "").refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void keptFormsAreDeletedOnDemandByFileBucketAndProject() {
        byte[] picture = Pictures.write(Pictures.halves(40, 20), "png");
        put("open/a.png", picture);
        put("open/b.png", picture);
        put("closed/c.png", picture);
        assertThat(storage.upload("two", "open/a.png", SERVICE, picture).status())
                .isEqualTo(200);
        storage.get("two", RENDERED + "a.png?width=10", "");
        String version =
                storage.get("two", "/object/info/public/open/a.png", "").text("version");
        var neighbour = new ContentKey(storage.tenant("two").projectId(), UUID.fromString(version));
        ContentKey a = content("a.png");
        ContentKey b = content("b.png");
        for (String call : new String[] {"/cdn/open/a.png", "/cdn/open", "/cdn"}) {
            render("a.png?width=10");
            render("b.png?width=10");
            assertThat(storage.call("one", "DELETE", call, SERVICE).text("message"))
                    .isEqualTo("success");
            assertThat(storage.call("one", "DELETE", call + "?transformations=true", ALICE)
                            .status())
                    .isEqualTo(403);
            assertThat(storage.renders().count(a)).isEqualTo(1);
            assertThat(storage.call("one", "DELETE", call + "?transformations=true", SERVICE)
                            .text("message"))
                    .isEqualTo("success");
            assertThat(storage.renders().count(a)).as(call).isZero();
            assertThat(storage.renders().count(b)).as(call).isEqualTo(call.endsWith("png") ? 1 : 0);
        }
        storage.get("one", "/render/image/authenticated/closed/c.png?width=10", SERVICE);
        render("a.png?width=10");
        storage.call("one", "DELETE", "/cdn/closed?transformations=true", SERVICE);
        assertThat(storage.renders().count(a)).isEqualTo(1);
        assertThat(storage.renders().count(neighbour)).isEqualTo(1);
        assertThat(storage.call("one", "DELETE", "/cdn/open/none?transformations=true", SERVICE)
                        .refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void aReplacedFileIsRenderedAnew() {
        put("open/changes.png", Pictures.write(Pictures.halves(40, 20), "png"));
        ContentKey before = content("changes.png");
        render("changes.png?width=10");
        put("open/changes.png", Pictures.write(Pictures.halves(40, 40), "png"));
        assertThat(Pictures.read(render("changes.png?width=10").bytes()).getHeight())
                .isEqualTo(10);
        await().until(() -> storage.renders().count(before) == 0);
    }

    @Test
    void whatNoFileHasIsSwept() {
        put("open/kept.png", Pictures.write(Pictures.halves(40, 20), "png"));
        render("kept.png?width=10");
        render("wide.png?width=12");
        ContentKey kept = content("kept.png");
        UUID projectId = kept.projectId();
        assertThat(storage.renders().sweep(projectId, Instant.now().minusSeconds(600), keys -> java.util.List.of()))
                .isZero();
        assertThat(storage.renders().sweep(projectId, Instant.MAX, keys -> java.util.List.of(kept)))
                .isPositive();
        assertThat(storage.renders().count(kept)).isEqualTo(1);
        assertThat(storage.renders().sweep(projectId, Instant.MAX, keys -> java.util.List.of()))
                .isPositive();
        assertThat(storage.renders().count(kept)).isZero();
    }

    @Test
    void theyAreDeletedWithTheProject() {
        storage.project("ends");
        storage.bucket("ends", "open", true);
        storage.upload("ends", "open/f.png", SERVICE, Pictures.write(Pictures.halves(40, 20), "png"));
        assertThat(storage.get("ends", RENDERED + "f.png?width=10", "").status())
                .isEqualTo(200);
        String version =
                storage.get("ends", "/object/info/public/open/f.png", "").text("version");
        var content = new ContentKey(storage.tenant("ends").projectId(), UUID.fromString(version));
        assertThat(storage.renders().count(content)).isEqualTo(1);
        storage.store().deleteAll(content.projectId(), Instant.MAX);
        assertThat(storage.renders().count(content)).isZero();
    }

    @Test
    void ofOneVersionSoManyAreKept() {
        put("open/tiny.png", Pictures.write(Pictures.halves(8, 8), "png"));
        for (int width = 1; width <= 100; width++) {
            render("tiny.png?width=" + width);
        }
        assertThat(storage.renders().count(content("tiny.png"))).isEqualTo(32);
        // The last is there, the first is made again.
        assertThat(Pictures.read(render("tiny.png?width=1").bytes()).getWidth()).isEqualTo(1);
        assertThat(storage.renders().count(content("tiny.png"))).isEqualTo(32);
    }
}
