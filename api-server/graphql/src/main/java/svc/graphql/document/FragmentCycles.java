package svc.graphql.document;

import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import svc.graphql.error.GraphqlError;

/** Refuses fragments that contain themselves, also those that no operation uses. */
final class FragmentCycles {
    private final Map<String, FragmentDefinition> fragments;
    private final Set<String> open = new HashSet<>();
    private final Map<String, Boolean> done = new HashMap<>();

    private FragmentCycles(Map<String, FragmentDefinition> fragments) {
        this.fragments = fragments;
    }

    static void refuse(Map<String, FragmentDefinition> fragments) {
        var cycles = new FragmentCycles(fragments);
        fragments.keySet().forEach(cycles::visit);
    }

    private void visit(String name) {
        if (done.containsKey(name) || !fragments.containsKey(name)) {
            return;
        }
        if (!open.add(name)) {
            throw new GraphqlError("Found a cycle between fragments");
        }
        if (open.size() > FieldCollector.MAX_NESTED_FRAGMENTS) {
            throw new GraphqlError("Fragments are nested more than " + FieldCollector.MAX_NESTED_FRAGMENTS + " deep");
        }
        walk(fragments.get(name).getSelectionSet());
        open.remove(name);
        done.put(name, true);
    }

    private void walk(SelectionSet selections) {
        if (selections == null) {
            return;
        }
        for (Selection<?> selection : selections.getSelections()) {
            switch (selection) {
                case Field field -> walk(field.getSelectionSet());
                case InlineFragment inline -> walk(inline.getSelectionSet());
                case FragmentSpread spread -> visit(spread.getName());
                default -> throw new GraphqlError("unsupported selection");
            }
        }
    }
}
