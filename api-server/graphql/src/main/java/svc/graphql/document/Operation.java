package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.Definition;
import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/** The operation of a document that a request runs. Immutable. */
public final class Operation {
    private final Kind kind;
    private final SelectionSet root;
    private final OperationSize size;
    private final Map<String, FragmentDefinition> fragments;
    private final InputValues values;
    private final GraphqlLimits limits;

    private Operation(
            OperationDefinition definition,
            Map<String, FragmentDefinition> fragments,
            InputValues values,
            OperationSize size,
            GraphqlLimits limits) {
        this.kind = kind(definition);
        this.root = definition.getSelectionSet();
        this.fragments = fragments;
        this.values = values;
        this.size = size;
        this.limits = limits;
    }

    /** What an operation does. */
    public enum Kind {
        QUERY,
        MUTATION
    }

    /**
     * Selects the operation.
     *
     * @param name empty if the request names none
     * @throws GraphqlError for a document without that operation, for values that its variables lack, and for a larger
     *     operation than the limits allow
     */
    public static Operation select(
            ParsedDocument document, Optional<String> name, Map<String, JsonNode> variables, GraphqlLimits limits) {
        List<OperationDefinition> operations = new ArrayList<>();
        Map<String, FragmentDefinition> fragments = new HashMap<>();
        Map<String, DefinitionSize> sizes = new LinkedHashMap<>();
        for (Definition<?> definition : document.document().getDefinitions()) {
            switch (definition) {
                case OperationDefinition operation -> operations.add(operation);
                case FragmentDefinition fragment -> {
                    if (fragments.put(fragment.getName(), fragment) != null) {
                        throw new GraphqlError("Fragment names must be unique");
                    }
                    sizes.put(fragment.getName(), document.size(fragment));
                }
                default -> throw new GraphqlError("Only operations and fragments may be executed");
            }
        }
        OperationDefinition chosen = choose(operations, name);
        if (!chosen.getDirectives().isEmpty()) {
            throw new GraphqlError("Directives are not allowed on operations");
        }
        List<String> order = FragmentOrder.of(sizes);
        var values = new InputValues(chosen, variables);
        OperationSize size = OperationSize.of(document.size(chosen), sizes, order, values::ofVariable, limits);
        return new Operation(chosen, fragments, values, size, limits);
    }

    private static Kind kind(OperationDefinition definition) {
        return switch (definition.getOperation()) {
            case QUERY -> Kind.QUERY;
            case MUTATION -> Kind.MUTATION;
            case SUBSCRIPTION -> throw new GraphqlError("Subscriptions are not supported");
        };
    }

    public Kind kind() {
        return kind;
    }

    /** Its fields. */
    public SelectionSet root() {
        return root;
    }

    /** What it asks for. */
    public OperationSize size() {
        return size;
    }

    /** The variables that have a value. */
    public Map<String, JsonNode> variables() {
        return values.variables();
    }

    /** Collects its fields once; another pass needs another one. */
    public FieldCollector collector() {
        return new FieldCollector(fragments, values, limits);
    }

    private static OperationDefinition choose(List<OperationDefinition> operations, Optional<String> name) {
        Set<String> names = new HashSet<>();
        for (OperationDefinition operation : operations) {
            if (operation.getName() == null && operations.size() > 1) {
                throw new GraphqlError("Anonymous operations must be the only defined operation");
            }
            if (operation.getName() != null && !names.add(operation.getName())) {
                throw new GraphqlError("Operation names must be unique");
            }
        }
        if (name.isEmpty() && operations.size() > 1) {
            throw new GraphqlError("operationName is required: the document has several operations");
        }
        return operations.stream()
                .filter(operation -> name.isEmpty() || name.get().equals(operation.getName()))
                .findFirst()
                .orElseThrow(() -> new GraphqlError("Operation not found"));
    }
}
