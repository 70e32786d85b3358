package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.Argument;
import graphql.language.Directive;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/**
 * Collects the fields of selection sets: resolves fragments and the directives skip and include, and merges equal response
 * keys. Counts every selection that it visits, so that fragments within fragments cannot multiply without end. For one
 * operation, by one thread.
 */
public final class FieldCollector {
    /** Fragments within fragments. */
    static final int MAX_NESTED_FRAGMENTS = 50;

    private final Map<String, FragmentDefinition> fragments;
    private final InputValues values;
    private final GraphqlLimits limits;
    private int visited;
    private int aliases;

    FieldCollector(Map<String, FragmentDefinition> fragments, InputValues values, GraphqlLimits limits) {
        this.fragments = fragments;
        this.values = values;
        this.limits = limits;
    }

    /**
     * The fields of an object by response key, in order.
     *
     * @param types the object's type and its interfaces; fragments on other types do not apply
     */
    public List<SelectedField> collect(List<SelectionSet> selections, Set<String> types) {
        Map<String, SelectedField> fields = new LinkedHashMap<>();
        selections.forEach(set -> collect(set, types, fields));
        return List.copyOf(fields.values());
    }

    private void collect(SelectionSet set, Set<String> types, Map<String, SelectedField> fields) {
        for (Selection<?> selection : set.getSelections()) {
            if (++visited > limits.fields()) {
                throw new GraphqlError("The operation has more than " + limits.fields() + " fields");
            }
            switch (selection) {
                case Field field -> {
                    if (isIncluded(field.getDirectives())) {
                        merge(field, fields);
                    }
                }
                case InlineFragment inline -> {
                    String on = inline.getTypeCondition() == null
                            ? null
                            : inline.getTypeCondition().getName();
                    if (isIncluded(inline.getDirectives()) && (on == null || types.contains(on))) {
                        collect(inline.getSelectionSet(), types, fields);
                    }
                }
                case FragmentSpread spread -> {
                    FragmentDefinition fragment = fragments.get(spread.getName());
                    if (fragment == null) {
                        throw new GraphqlError("no fragment named " + spread.getName());
                    }
                    if (isIncluded(spread.getDirectives())
                            && types.contains(fragment.getTypeCondition().getName())) {
                        collect(fragment.getSelectionSet(), types, fields);
                    }
                }
                default -> throw new GraphqlError("unsupported selection");
            }
        }
    }

    private void merge(Field field, Map<String, SelectedField> fields) {
        String key = field.getAlias() == null ? field.getName() : field.getAlias();
        if (field.getAlias() != null && ++aliases > limits.aliases()) {
            throw new GraphqlError("The operation has more than " + limits.aliases() + " aliases");
        }
        Map<String, JsonNode> arguments = arguments(field);
        List<SelectionSet> own = field.getSelectionSet() == null ? List.of() : List.of(field.getSelectionSet());
        SelectedField known = fields.get(key);
        if (known == null) {
            fields.put(key, new SelectedField(key, field.getName(), arguments, own));
            return;
        }
        if (!known.name().equals(field.getName())) {
            throw new GraphqlError("Fields `" + known.name() + "` and `" + field.getName() + "` are different");
        }
        if (!known.arguments().equals(arguments)) {
            throw new GraphqlError("Two fields named `" + key + "` have different arguments");
        }
        if (!own.isEmpty()) {
            List<SelectionSet> both = new ArrayList<>(known.selections());
            both.addAll(own);
            fields.put(key, new SelectedField(key, known.name(), arguments, both));
        }
    }

    private Map<String, JsonNode> arguments(Field field) {
        Map<String, JsonNode> arguments = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Argument argument : field.getArguments()) {
            if (!seen.add(argument.getName())) {
                throw new GraphqlError("Argument \"" + argument.getName() + "\" is given more than once");
            }
            values.resolve(argument.getValue()).ifPresent(value -> arguments.put(argument.getName(), value));
        }
        return arguments;
    }

    /** Whether neither skip nor include leaves it out. */
    private boolean isIncluded(List<Directive> directives) {
        boolean included = true;
        for (Directive directive : directives) {
            String name = directive.getName();
            if (!name.equals("skip") && !name.equals("include")) {
                throw new GraphqlError("Unknown directive " + name);
            }
            included &= name.equals("include") == condition(directive);
        }
        return included;
    }

    private boolean condition(Directive directive) {
        String name = directive.getName();
        for (Argument argument : directive.getArguments()) {
            if (!argument.getName().equals("if")) {
                throw new GraphqlError("Unknown argument to @" + name + ": " + argument.getName());
            }
        }
        if (directive.getArguments().size() != 1) {
            throw new GraphqlError("Incorrect arguments to directive @" + name);
        }
        JsonNode value = values.resolve(directive.getArguments().getFirst().getValue())
                .orElseThrow(() -> new GraphqlError("Value for \"if\" in @" + name + " directive is required"));
        if (!value.isBoolean()) {
            throw new GraphqlError("Value for \"if\" in @" + name + " directive must be a Boolean");
        }
        return value.booleanValue();
    }
}
