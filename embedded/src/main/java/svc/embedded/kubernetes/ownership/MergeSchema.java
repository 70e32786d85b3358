package svc.embedded.kubernetes.ownership;

import java.util.List;

/** What a merge must know of a place in an object: whether maps and lists there have one owner or many. */
public interface MergeSchema {
    /** The place below a field of a map. */
    MergeSchema field(String name);

    /** The place of a list's items. */
    MergeSchema item();

    /** How the list at this place is shared. */
    ListShape list();

    /** Whether the map at this place is owned as a whole. */
    boolean atomicMap();

    /** How a list is shared between owners. */
    sealed interface ListShape {
        /** One owner for all of it. */
        record Atomic() implements ListShape {}

        /** Scalars, each with its owners. */
        record Set() implements ListShape {}

        /** Maps identified by the values of these fields, each with its owners. */
        record Keyed(List<Key> keys) implements ListShape {}
    }

    /** A key field of the items of a list; {@code fallback} is its value where it is left out, or empty. */
    record Key(String name, String fallback) {}
}
