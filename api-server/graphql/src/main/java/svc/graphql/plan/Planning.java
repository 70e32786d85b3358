package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import svc.graphql.document.FieldCollector;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.request.GraphqlLimits;
import svc.graphql.schema.Entity;
import svc.graphql.schema.GraphqlSchema;

/** What the planners of one operation share: the schema, the document's fields, and the budgets. By one thread. */
final class Planning {
    static final String TYPENAME = "__typename";

    private final GraphqlSchema schema;
    private final FieldCollector fields;
    private final GraphqlLimits limits;
    private final int maxRows;
    private long rows;
    private int conditions;
    private int relations;
    private int objects;
    private long reads;
    private long copies;

    /** @param maxRows the rows of a page where no comment says otherwise */
    Planning(GraphqlSchema schema, FieldCollector fields, GraphqlLimits limits, int maxRows) {
        this.schema = schema;
        this.fields = fields;
        this.limits = limits;
        this.maxRows = maxRows;
    }

    GraphqlSchema schema() {
        return schema;
    }

    GraphqlLimits limits() {
        return limits;
    }

    long maxRows(Entity entity) {
        return entity.features().maxRows().orElse(maxRows);
    }

    /** The subfields of a field; it must select some. */
    List<SelectedField> subfields(SelectedField field, Position at, String... types) {
        if (field.selections().isEmpty()) {
            throw new GraphqlError("Field '" + field.name() + "' must have a selection of subfields");
        }
        if (at.depth() >= limits.depth()) {
            throw new GraphqlError("The operation is nested more than " + limits.depth() + " deep");
        }
        return fields.collect(field.selections(), Set.of(types));
    }

    /** Refuses subfields of a field that has none. */
    static void leaf(SelectedField field) {
        if (!field.selections().isEmpty()) {
            throw new GraphqlError("Field '" + field.name() + "' must not have a selection of subfields");
        }
        arguments(field, Set.of());
    }

    static void arguments(SelectedField field, Set<String> allowed) {
        extraKeys(field.arguments().keySet(), allowed, "Input contains extra keys ");
    }

    static void keys(Map<String, JsonNode> given, Set<String> allowed, String type) {
        extraKeys(given.keySet(), allowed, "Input for type " + type + " contains extra keys ");
    }

    private static void extraKeys(Set<String> given, Set<String> allowed, String message) {
        Set<String> extra = new TreeSet<>(given);
        extra.removeAll(allowed);
        if (!extra.isEmpty()) {
            throw new GraphqlError(message + "[\"" + String.join("\", \"", extra) + "\"]");
        }
    }

    /** Counts the rows that a collection adds to the answer. */
    void rows(long more) {
        rows += more;
        if (rows > limits.rows()) {
            throw new GraphqlError("The operation may return more than " + limits.rows()
                    + " rows: request smaller pages or fewer levels");
        }
    }

    void condition() {
        if (++conditions > limits.filters()) {
            throw new GraphqlError("The operation has more than " + limits.filters() + " conditions");
        }
    }

    /** Counts a relation that a filter or an order follows: PostgreSQL plans a join for each. */
    void related(Entity target) {
        reads(target, Optional.empty(), 1);
        if (++relations > limits.related()) {
            throw new GraphqlError(
                    "The operation has more than " + limits.related() + " filters and orders by relations");
        }
    }

    /**
     * Counts the rows of a relation that PostgreSQL reads for counts, aggregates, distinct rows, and filters and orders by
     * related rows. What it estimates is as old as the last ANALYZE and the cached schema.
     *
     * @param parent the entity of the surrounding row, whose rows share the relation's; empty for a root field
     * @param times how often
     */
    void reads(Entity entity, Optional<Entity> parent, long times) {
        long rows = entity.table().estimatedRows();
        long share = parent.map(one -> rows / Math.max(1, one.table().estimatedRows()))
                .orElse(rows);
        reads += Math.min(limits.reads() + 1, share) * times;
        if (reads > limits.reads()) {
            throw new GraphqlError("The operation may read more than " + limits.reads()
                    + " rows: count, aggregate, order or filter less, or fewer times");
        }
    }

    /** Counts the characters of cursors, whose values are compared once for each column that follows in the order. */
    void copies(long characters) {
        copies += characters;
        if (copies > limits.values()) {
            throw new GraphqlError("The cursors of the operation have more than " + limits.values()
                    + " characters, counted for each column of orderBy: order by fewer or shorter columns");
        }
    }

    /** Counts the objects of inserts that have other objects in them. */
    void objects(int more) {
        objects += more;
        if (objects > limits.objects()) {
            throw new GraphqlError("At most " + limits.objects() + " records may be provided to objects");
        }
    }

    /**
     * The place of a field.
     *
     * @param depth 1 for root fields
     * @param times how often the surrounding rows repeat it at most
     */
    record Position(int depth, long times) {
        static final Position ROOT = new Position(1, 1);

        Position inner() {
            return new Position(depth + 1, times);
        }

        Position rows(long more) {
            return new Position(depth, Math.multiplyExact(times, Math.max(1, more)));
        }
    }
}
