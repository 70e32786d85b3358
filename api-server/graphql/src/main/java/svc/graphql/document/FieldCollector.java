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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/**
 * Collects the fields of selection sets: resolves fragments and the directives skip and include, and merges equal response
 * keys. A fragment that one object spreads again adds nothing and is not visited again (CollectFields of the specification),
 * and the arguments of a field are made once, however often its fragment is spread. For one operation, by one thread.
 */
public final class FieldCollector {
    private static final int MAX_ALIAS_CHARACTERS = 200;

    private final Map<String, FragmentDefinition> fragments;
    private final InputValues values;
    private final GraphqlLimits limits;
    private final Map<Field, Map<String, JsonNode>> arguments = new IdentityHashMap<>();
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
        var into = new Collected(types, new LinkedHashMap<>(), new HashSet<>());
        selections.forEach(set -> collect(set, into));
        List<SelectedField> collected = new ArrayList<>();
        into.fields().forEach((key, one) -> collected.add(one.selected(key)));
        return collected;
    }

    /**
     * The fields of one object.
     *
     * @param fields by response key
     * @param spread the names of the fragments whose fields are among them
     */
    private record Collected(Set<String> types, Map<String, Merged> fields, Set<String> spread) {}

    /** A field, with what all its selections select of it. */
    private record Merged(String name, Map<String, JsonNode> arguments, List<SelectionSet> selections) {
        SelectedField selected(String key) {
            return new SelectedField(key, name, arguments, selections);
        }
    }

    private void collect(SelectionSet set, Collected into) {
        for (Selection<?> selection : set.getSelections()) {
            if (++visited > limits.fields()) {
                throw new GraphqlError("The operation has more than " + limits.fields() + " fields");
            }
            switch (selection) {
                case Field field -> {
                    if (isIncluded(field.getDirectives())) {
                        merge(field, into.fields());
                    }
                }
                case InlineFragment inline -> {
                    String on = inline.getTypeCondition() == null
                            ? null
                            : inline.getTypeCondition().getName();
                    if (isIncluded(inline.getDirectives())
                            && (on == null || into.types().contains(on))) {
                        collect(inline.getSelectionSet(), into);
                    }
                }
                case FragmentSpread spread -> {
                    FragmentDefinition fragment = fragments.get(spread.getName());
                    if (fragment == null) {
                        throw new GraphqlError("no fragment named " + spread.getName());
                    }
                    if (isIncluded(spread.getDirectives())
                            && into.types().contains(fragment.getTypeCondition().getName())
                            && into.spread().add(spread.getName())) {
                        collect(fragment.getSelectionSet(), into);
                    }
                }
                default -> throw new GraphqlError("unsupported selection");
            }
        }
    }

    private void merge(Field field, Map<String, Merged> fields) {
        String key = field.getAlias() == null ? field.getName() : field.getAlias();
        if (field.getAlias() != null && ++aliases > limits.aliases()) {
            throw new GraphqlError("The operation has more than " + limits.aliases() + " aliases");
        }
        if (key.length() > MAX_ALIAS_CHARACTERS && field.getAlias() != null) {
            throw new GraphqlError("An alias has more than " + MAX_ALIAS_CHARACTERS + " characters");
        }
        Map<String, JsonNode> given = arguments.computeIfAbsent(field, this::resolve);
        Merged known = fields.computeIfAbsent(key, unused -> new Merged(field.getName(), given, new ArrayList<>()));
        if (!known.name().equals(field.getName())) {
            throw new GraphqlError("Fields `" + known.name() + "` and `" + field.getName() + "` are different");
        }
        if (!known.arguments().equals(given)) {
            throw new GraphqlError("Two fields named `" + key + "` have different arguments");
        }
        if (field.getSelectionSet() != null) {
            known.selections().add(field.getSelectionSet());
        }
    }

    private Map<String, JsonNode> resolve(Field field) {
        Map<String, JsonNode> resolved = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Argument argument : field.getArguments()) {
            if (!seen.add(argument.getName())) {
                throw new GraphqlError("Argument \"" + argument.getName() + "\" is given more than once");
            }
            values.resolve(argument.getValue()).ifPresent(value -> resolved.put(argument.getName(), value));
        }
        return resolved;
    }

    /** Whether neither skip nor include leaves it out. Each may be there once, as the specification has it. */
    private boolean isIncluded(List<Directive> directives) {
        boolean included = true;
        if (directives.size() > 1) {
            refuseRepeated(directives);
        }
        for (Directive directive : directives) {
            String name = directive.getName();
            if (!name.equals("skip") && !name.equals("include")) {
                throw new GraphqlError("Unknown directive " + name);
            }
            included &= name.equals("include") == condition(directive);
        }
        return included;
    }

    private static void refuseRepeated(List<Directive> directives) {
        Set<String> names = new HashSet<>();
        for (Directive directive : directives) {
            if (!names.add(directive.getName())) {
                throw new GraphqlError("The directive @" + directive.getName() + " is given more than once");
            }
        }
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
