package svc.graphql.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.graphql.error.GraphqlError;

/** Sorts fragments by what they spread; refuses those that contain themselves, also those that no operation uses. */
final class FragmentOrder {
    /** Fragments within fragments; each takes stack. */
    private static final int MAX_NESTED = 50;

    private final Map<String, DefinitionSize> fragments;
    private final Set<String> open = new HashSet<>();
    private final Map<String, Integer> depths = new HashMap<>();
    private final List<String> order = new ArrayList<>();

    private FragmentOrder(Map<String, DefinitionSize> fragments) {
        this.fragments = fragments;
    }

    /** The names of the fragments, each after those that it spreads. Linear: a fragment is visited once. */
    static List<String> of(Map<String, DefinitionSize> fragments) {
        var sorting = new FragmentOrder(fragments);
        fragments.keySet().forEach(sorting::depth);
        return sorting.order;
    }

    /** How many fragments are nested from this one on, which counts; 0 for one that does not exist. */
    private int depth(String name) {
        Integer known = depths.get(name);
        if (known != null || !fragments.containsKey(name)) {
            return known == null ? 0 : known;
        }
        if (!open.add(name)) {
            throw new GraphqlError("Found a cycle between fragments");
        }
        int inner = 0;
        if (open.size() <= MAX_NESTED) {
            for (String spread : fragments.get(name).spreads()) {
                inner = Math.max(inner, depth(spread));
            }
        }
        if (inner >= MAX_NESTED || open.size() > MAX_NESTED) {
            throw new GraphqlError("Fragments are nested more than " + MAX_NESTED + " deep");
        }
        open.remove(name);
        depths.put(name, inner + 1);
        order.add(name);
        return inner + 1;
    }
}
