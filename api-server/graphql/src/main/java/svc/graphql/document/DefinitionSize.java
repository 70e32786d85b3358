package svc.graphql.document;

import graphql.language.Argument;
import graphql.language.ArrayValue;
import graphql.language.Definition;
import graphql.language.Directive;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.ObjectValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.Value;
import graphql.language.VariableReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of an operation or a fragment without the fragments that it spreads. Taken once for a document.
 *
 * @param nodes the nodes of its tree
 * @param fields its selections
 * @param literals the weight of the values that it writes out, as {@link ValueWeight} has it
 * @param variables the variables that it refers to, each as often as it does
 * @param spreads the fragments that it spreads, each as often as it does
 */
record DefinitionSize(int nodes, int fields, long literals, List<String> variables, List<String> spreads) {
    DefinitionSize {
        variables = List.copyOf(variables);
        spreads = List.copyOf(spreads);
    }

    static DefinitionSize of(Definition<?> definition) {
        var count = new Count();
        switch (definition) {
            case FragmentDefinition fragment -> count.selections(fragment.getSelectionSet());
            case OperationDefinition operation -> {
                count.selections(operation.getSelectionSet());
                operation
                        .getVariableDefinitions()
                        .forEach(variable -> count.nodes += nodes(variable.getDefaultValue()));
            }
            default -> {}
        }
        return new DefinitionSize(count.nodes, count.fields, count.literals, count.variables, count.spreads);
    }

    /** Of the definition of a variable, with its type. */
    private static int nodes(Value<?> defaultValue) {
        var count = new Count();
        if (defaultValue != null) {
            count.value(defaultValue);
        }
        return count.nodes + 3;
    }

    private static final class Count {
        private int nodes = 1;
        private int fields;
        private long literals;
        private final List<String> variables = new ArrayList<>();
        private final List<String> spreads = new ArrayList<>();

        private void selections(SelectionSet set) {
            if (set == null) {
                return;
            }
            for (Selection<?> selection : set.getSelections()) {
                fields++;
                nodes += 2;
                switch (selection) {
                    case Field field -> {
                        arguments(field.getArguments());
                        directives(field.getDirectives());
                        selections(field.getSelectionSet());
                    }
                    case InlineFragment inline -> {
                        directives(inline.getDirectives());
                        selections(inline.getSelectionSet());
                    }
                    case FragmentSpread spread -> {
                        directives(spread.getDirectives());
                        spreads.add(spread.getName());
                    }
                    default -> throw new IllegalArgumentException("not a selection of GraphQL");
                }
            }
        }

        private void directives(List<Directive> directives) {
            nodes += directives.size();
            directives.forEach(directive -> arguments(directive.getArguments()));
        }

        private void arguments(List<Argument> arguments) {
            nodes += arguments.size();
            arguments.forEach(argument -> value(argument.getValue()));
        }

        private void value(Value<?> value) {
            nodes++;
            literals += ValueWeight.of(value);
            switch (value) {
                case VariableReference reference -> variables.add(reference.getName());
                case ArrayValue list -> list.getValues().forEach(this::value);
                case ObjectValue object -> {
                    nodes += object.getObjectFields().size();
                    object.getObjectFields().forEach(field -> value(field.getValue()));
                }
                default -> {}
            }
        }
    }
}
