package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.Definition;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;

/**
 * The operation of a document that a request runs.
 *
 * @param root its fields
 */
public record Operation(Kind kind, SelectionSet root, FieldCollector fields) {
    /** What an operation does. */
    public enum Kind {
        QUERY,
        MUTATION
    }

    /**
     * Selects the operation.
     *
     * @param name empty if the request names none
     * @throws GraphqlError for a document without that operation, and for values that its variables lack
     */
    public static Operation select(
            Document document, Optional<String> name, Map<String, JsonNode> variables, GraphqlLimits limits) {
        List<OperationDefinition> operations = new ArrayList<>();
        Map<String, FragmentDefinition> fragments = new HashMap<>();
        for (Definition<?> definition : document.getDefinitions()) {
            switch (definition) {
                case OperationDefinition operation -> operations.add(operation);
                case FragmentDefinition fragment -> {
                    if (fragments.put(fragment.getName(), fragment) != null) {
                        throw new GraphqlError("Fragment names must be unique");
                    }
                }
                default -> throw new GraphqlError("Only operations and fragments may be executed");
            }
        }
        OperationDefinition chosen = choose(operations, name);
        Kind kind = switch (chosen.getOperation()) {
            case QUERY -> Kind.QUERY;
            case MUTATION -> Kind.MUTATION;
            case SUBSCRIPTION -> throw new GraphqlError("Subscriptions are not supported");
        };
        if (!chosen.getDirectives().isEmpty()) {
            throw new GraphqlError("Directives are not allowed on operations");
        }
        FragmentCycles.refuse(fragments);
        return new Operation(
                kind,
                chosen.getSelectionSet(),
                new FieldCollector(fragments, new InputValues(chosen, variables), limits));
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
