package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.storage.StorageForTests.SERVICE;

import java.awt.image.BufferedImage;
import svc.storage.StorageHttp.Answer;
import svc.storage.image.ImageLimits;
import svc.storage.image.Pictures;

/** Two projects with a public bucket {@code open} and a private one; the first has pictures, red left and blue right. */
final class ImageProject {
    static final String RENDERED = "/render/image/public/open/";

    private final StorageForTests storage;

    ImageProject() {
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

    StorageForTests storage() {
        return storage;
    }

    void put(String path, byte[] bytes) {
        Answer made = storage.upload("one", path, SERVICE, bytes, "x-upsert", "true", "cache-control", "max-age=60");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
    }

    Answer render(String path, String... headers) {
        Answer answer = storage.get("one", RENDERED + path, "", headers);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }
}
