package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.content.ContentKey;
import svc.storage.image.Pictures;

/** Kept forms of an image live as long as its bytes, and are bounded. */
class KeptImagesTest {
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

    private static ContentKey content(String path) {
        String version =
                storage.get("one", "/object/info/public/open/" + path, "").text("version");
        return new ContentKey(storage.tenant("one").projectId(), UUID.fromString(version));
    }

    @Test
    void theyAreDeletedWithTheFile() {
        images.put("open/gone.png", Pictures.write(Pictures.halves(40, 20), "png"));
        ContentKey content = content("gone.png");
        images.render("gone.png?width=10");
        images.render("gone.png?width=11");
        assertThat(storage.renders().count(content)).isEqualTo(2);
        assertThat(storage.call("one", "DELETE", "/object/open/gone.png", SERVICE)
                        .status())
                .isEqualTo(200);
        await().until(() -> storage.renders().count(content) == 0);
        assertThat(storage.get("one", ImageProject.RENDERED + "gone.png?width=10", "")
                        .refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void keptFormsAreDeletedOnDemandByFileBucketAndProject() {
        byte[] picture = Pictures.write(Pictures.halves(40, 20), "png");
        images.put("open/a.png", picture);
        images.put("open/b.png", picture);
        images.put("closed/c.png", picture);
        assertThat(storage.upload("two", "open/a.png", SERVICE, picture).status())
                .isEqualTo(200);
        storage.get("two", ImageProject.RENDERED + "a.png?width=10", "");
        String version =
                storage.get("two", "/object/info/public/open/a.png", "").text("version");
        var neighbour = new ContentKey(storage.tenant("two").projectId(), UUID.fromString(version));
        ContentKey a = content("a.png");
        ContentKey b = content("b.png");
        for (String call : new String[] {"/cdn/open/a.png", "/cdn/open", "/cdn"}) {
            images.render("a.png?width=10");
            images.render("b.png?width=10");
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
        images.render("a.png?width=10");
        storage.call("one", "DELETE", "/cdn/closed?transformations=true", SERVICE);
        assertThat(storage.renders().count(a)).isEqualTo(1);
        assertThat(storage.renders().count(neighbour)).isEqualTo(1);
        assertThat(storage.call("one", "DELETE", "/cdn/open/none?transformations=true", SERVICE)
                        .refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void aReplacedFileIsRenderedAgain() {
        images.put("open/changes.png", Pictures.write(Pictures.halves(40, 20), "png"));
        ContentKey before = content("changes.png");
        images.render("changes.png?width=10");
        images.put("open/changes.png", Pictures.write(Pictures.halves(40, 40), "png"));
        assertThat(Pictures.read(images.render("changes.png?width=10").bytes()).getHeight())
                .isEqualTo(10);
        await().until(() -> storage.renders().count(before) == 0);
    }

    @Test
    void whatNoFileHasIsSwept() {
        images.put("open/kept.png", Pictures.write(Pictures.halves(40, 20), "png"));
        images.render("kept.png?width=10");
        images.render("wide.png?width=12");
        ContentKey kept = content("kept.png");
        UUID projectId = kept.projectId();
        assertThat(storage.renders().sweep(projectId, Instant.now().minusSeconds(600), keys -> List.of()))
                .isZero();
        assertThat(storage.renders().sweep(projectId, Instant.MAX, keys -> List.of(kept)))
                .isPositive();
        assertThat(storage.renders().count(kept)).isEqualTo(1);
        assertThat(storage.renders().sweep(projectId, Instant.MAX, keys -> List.of()))
                .isPositive();
        assertThat(storage.renders().count(kept)).isZero();
    }

    @Test
    void theyAreDeletedWithTheProject() {
        storage.project("ends");
        storage.bucket("ends", "open", true);
        storage.upload("ends", "open/f.png", SERVICE, Pictures.write(Pictures.halves(40, 20), "png"));
        assertThat(storage.get("ends", ImageProject.RENDERED + "f.png?width=10", "")
                        .status())
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
        images.put("open/tiny.png", Pictures.write(Pictures.halves(8, 8), "png"));
        for (int width = 1; width <= 100; width++) {
            images.render("tiny.png?width=" + width);
        }
        assertThat(storage.renders().count(content("tiny.png"))).isEqualTo(32);
        // The last is there, the first is made again.
        assertThat(Pictures.read(images.render("tiny.png?width=1").bytes()).getWidth())
                .isEqualTo(1);
        assertThat(storage.renders().count(content("tiny.png"))).isEqualTo(32);
    }
}
