package svc.management.tool;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The groups of tools that a client chooses from by {@code features} in the address. */
public enum Feature {
    ACCOUNT,
    DOCS,
    DATABASE,
    DEBUGGING,
    DEVELOPMENT,
    FUNCTIONS,
    BRANCHING,
    /** Only by name: few agents need it, and each tool costs a model's attention. */
    STORAGE;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By its name, or by {@code debug}, which older clients call {@code debugging}. */
    public static Optional<Feature> ofWire(String name) {
        return Arrays.stream(values())
                .filter(feature -> feature.wire().equals(name) || feature == DEBUGGING && name.equals("debug"))
                .findFirst();
    }
}
