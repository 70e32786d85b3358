package svc.database.shared;

import java.util.SortedSet;
import java.util.TreeSet;

/** The extensions that projects may use: those of {@code extensions.txt}, and plpgsql, which is always installed. */
public final class AllowedExtensions {
    private static final SortedSet<String> NAMES =
            java.util.Collections.unmodifiableSortedSet(names(SharedResources.load()));

    private AllowedExtensions() {}

    /** In alphabetical order. A server without the files of an extension does not offer it. */
    public static SortedSet<String> names() {
        return NAMES;
    }

    private static SortedSet<String> names(SharedResources resources) {
        SortedSet<String> names = new TreeSet<>(resources.extensions());
        names.add("plpgsql");
        return names;
    }
}
