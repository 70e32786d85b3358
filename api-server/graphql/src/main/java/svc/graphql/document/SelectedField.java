package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.SelectionSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A field of an operation, merged from all selections with its response key.
 *
 * @param key its name in the answer: the alias, or the field's name
 * @param arguments those with a value, null among them
 * @param selections what is selected of it; empty for none
 */
public record SelectedField(String key, String name, Map<String, JsonNode> arguments, List<SelectionSet> selections) {
    /** The value of an argument; null counts as absent. */
    public Optional<JsonNode> argument(String argument) {
        return Optional.ofNullable(arguments.get(argument)).filter(value -> !value.isNull());
    }
}
