package svc.rest.openapi;

import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import svc.catalog.ProjectSchema;
import svc.catalog.Routine;
import svc.catalog.Table;

/**
 * What a description says, whatever its format.
 *
 * @param url where the API is, without a slash at the end
 * @param comment of the schema
 * @param tables in the order of their names
 * @param routines one of each name, in their order: of overloads that with the most parameters
 */
record ApiDescription(
        URI url,
        String title,
        Optional<String> comment,
        ProjectSchema schema,
        List<Table> tables,
        List<Routine> routines) {

    /** Of one exposed schema, as far as it may be told. */
    static ApiDescription of(
            URI url,
            String title,
            ProjectSchema known,
            String schema,
            Predicate<Table> tables,
            Predicate<Routine> routines) {
        Map<String, Routine> byName = new TreeMap<>();
        known.routines().all().stream()
                .flatMap(List::stream)
                .filter(routine -> routine.id().schema().equals(schema))
                .filter(routines)
                .sorted(Comparator.comparing(routine -> routine.parameters().size()))
                .forEach(routine -> byName.put(routine.id().name(), routine));
        return new ApiDescription(
                url,
                title,
                Optional.ofNullable(known.descriptions().get(schema)),
                known,
                known.tables().stream()
                        .filter(table -> table.id().schema().equals(schema))
                        .filter(tables)
                        .sorted(Comparator.comparing(Table::name))
                        .toList(),
                List.copyOf(byName.values()));
    }

    /** The first line of a comment. */
    static Optional<String> summary(Optional<String> comment) {
        return comment.map(text -> text.split("\n", 2)[0]).filter(text -> !text.isEmpty());
    }

    /** What follows the first line of a comment. */
    static Optional<String> details(Optional<String> comment) {
        return comment.map(text -> text.split("\n", 2))
                .filter(parts -> parts.length == 2)
                .map(parts -> parts[1].replaceFirst("^\n+", ""))
                .filter(text -> !text.isEmpty());
    }
}
