package svc.database.shared;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The extensions that projects may use. */
public final class AllowedExtensions {
    private static final SortedSet<String> NAMES;
    private static final SortedSet<String> OPTIONAL;

    static {
        SharedResources resources = SharedResources.load();
        NAMES = sorted(resources.extensions(), List.of("plpgsql"));
        OPTIONAL = sorted(resources.optionalExtensions(), List.of());
    }

    private AllowedExtensions() {}

    /**
     * Those of {@code extensions.txt}, and plpgsql, which is always installed; in alphabetical order. A server without the
     * files of an extension does not offer it.
     */
    public static SortedSet<String> names() {
        return NAMES;
    }

    /**
     * Those of {@code optional-extensions.txt}: shared databases have them where an administrator decides it, databases of one
     * project where the server has the files.
     */
    public static SortedSet<String> optional() {
        return OPTIONAL;
    }

    private static SortedSet<String> sorted(Collection<String> names, Collection<String> more) {
        SortedSet<String> all = new TreeSet<>(names);
        all.addAll(more);
        return Collections.unmodifiableSortedSet(all);
    }
}
