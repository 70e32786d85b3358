package svc.management.introspection;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The tables of a project with texts that only a list of them shows. Texts are cut at 300 characters, and have the names
 * that applications use. Immutable.
 *
 * @param comments of relations and, where columns were asked for, of columns
 * @param defaults of columns, and the expressions of generated ones; empty unless columns were asked for
 * @param checks the first constraint of a column alone; empty unless columns were asked for
 */
record TableCatalog(
        ProjectFacts facts, Map<Place, String> comments, Map<Place, String> defaults, Map<Place, String> checks) {
    /** @param column its number; 0 for the relation itself */
    record Place(long relation, int column) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"relation", "column", "text"})
    record PlacedText(long relation, int column, Optional<String> text) {}

    /** An extension; schema and installed version are null for one that is not installed. */
    record Extension(String name, String schema, String defaultVersion, String installedVersion, String comment) {}

    /** The first text of each place. */
    static Map<Place, String> byPlace(List<PlacedText> texts) {
        return texts.stream()
                .filter(one -> one.text().isPresent())
                .collect(Collectors.toUnmodifiableMap(
                        one -> new Place(one.relation(), one.column()),
                        one -> one.text().get(),
                        (first, second) -> first));
    }

    Optional<String> comment(long relation, int column) {
        return Optional.ofNullable(comments.get(new Place(relation, column)));
    }

    Optional<String> defaultOf(ProjectFacts.Column column) {
        return Optional.ofNullable(defaults.get(new Place(column.relation(), column.number())));
    }

    Optional<String> checkOf(ProjectFacts.Column column) {
        return Optional.ofNullable(checks.get(new Place(column.relation(), column.number())));
    }
}
