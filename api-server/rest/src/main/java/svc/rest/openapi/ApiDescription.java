package svc.rest.openapi;

import com.google.re2j.Pattern;
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
 * The content of the OpenAPI document, independent of its version.
 *
 * @param url of the API, without a trailing slash
 * @param comment of the schema
 * @param tables sorted by name
 * @param routines sorted by name; one overload per name, the one with the most parameters
 */
record ApiDescription(
        URI url,
        String title,
        Optional<String> comment,
        ProjectSchema schema,
        List<Table> tables,
        List<Routine> routines) {
    private static final Pattern LEADING_LINES = Pattern.compile("^\n+");

    /** Describes one exposed schema, restricted to the given tables and routines. */
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

    /** Columns of all tables, by which the document grows. */
    int columns() {
        return tables.stream().mapToInt(table -> table.columns().size()).sum();
    }

    /** The first line of a comment. */
    static Optional<String> summary(Optional<String> comment) {
        return comment.map(text -> text.split("\n", 2)[0]).filter(text -> !text.isEmpty());
    }

    /** The rest of a comment after its first line. */
    static Optional<String> details(Optional<String> comment) {
        return comment.map(text -> text.split("\n", 2))
                .filter(parts -> parts.length == 2)
                .map(parts -> LEADING_LINES.matcher(parts[1]).replaceFirst(""))
                .filter(text -> !text.isEmpty());
    }
}
