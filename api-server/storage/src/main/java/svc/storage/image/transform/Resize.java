package svc.storage.image.transform;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What becomes of an image whose shape is not the one that is wanted. */
public enum Resize {
    /** It keeps its own, fills the wanted size, and is cropped. */
    COVER("fill"),
    /** It keeps its own, and lies within the wanted size. */
    CONTAIN("fit"),
    /** It is stretched. */
    FILL("force");

    private final String shown;

    Resize(String shown) {
        this.shown = shown;
    }

    static Optional<Resize> of(String name) {
        return Arrays.stream(values()).filter(one -> one.text().equals(name)).findFirst();
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The word of the header {@code X-Transformations}. */
    String shown() {
        return shown;
    }
}
