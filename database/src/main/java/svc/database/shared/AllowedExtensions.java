package svc.database.shared;

import java.util.SortedSet;
import java.util.TreeSet;

/** Which extensions projects may name: those of {@code extensions.txt}, and plpgsql, which is always there. */
public final class AllowedExtensions {
    private static final SortedSet<String> NAMES =
            java.util.Collections.unmodifiableSortedSet(names(SharedResources.load()));

    private AllowedExtensions() {}

    /** In alphabetical order. One may still be missing on a server that does not have its files. */
    public static SortedSet<String> names() {
        return NAMES;
    }

    private static SortedSet<String> names(SharedResources resources) {
        SortedSet<String> names = new TreeSet<>(resources.extensions());
        names.add("plpgsql");
        return names;
    }
}
