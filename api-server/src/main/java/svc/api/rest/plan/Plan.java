package svc.api.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.Condition;
import svc.api.rest.request.OrderTerm;
import svc.api.rest.request.Preferences.Representation;
import svc.api.rest.request.Preferences.Resolution;
import svc.api.rest.request.RowRange;
import svc.api.rest.request.SelectItem;
import svc.api.rest.schema.Table;
import svc.database.sql.Identifier;

/** What is to be done, in terms of a schema: names are resolved as far as PostgreSQL needs it, values are still text. */
public sealed interface Plan {
    /** The table or view that is read or written. */
    Target target();

    /** What comes back of the rows. */
    Output output();

    /** A table with what is known of it. */
    record Target(Identifier schema, Table table) {
        public Identifier name() {
            return Identifier.of(table.name());
        }

        /** Whether a column can be used with arrows as it is; for an unknown one PostgreSQL will say that it is unknown. */
        public boolean holdsJson(String column) {
            return table.column(column).map(Table.Column::holdsJson).orElse(false);
        }
    }

    /**
     * How rows become the answer.
     *
     * @param body whether rows are rendered at all
     * @param keyOf columns whose values of the first row are wanted for a Location; empty for none
     */
    record Output(
            boolean body,
            boolean singular,
            boolean nullsStripped,
            List<SelectItem> select,
            List<OrderTerm> order,
            RowRange range,
            List<Identifier> keyOf) {}

    /** @param count whether all rows that fulfil the condition are counted, besides those in range */
    record Read(Target target, Output output, Condition where, boolean count) implements Plan {}

    /** @param conflict what happens to rows whose key exists; an error when empty */
    record Insert(Target target, Output output, List<Group> groups, Optional<Conflict> conflict) implements Plan {}

    /** Rows that give the same columns; the others of the table take their default. */
    record Group(List<Identifier> columns, String jsonArray) {}

    /** @param key the columns by which a row is a duplicate */
    record Conflict(List<Identifier> key, Resolution resolution) {}

    /** @param json an array with one object; no column means that nothing is changed */
    record Update(Target target, Output output, List<Identifier> columns, String json, Condition where)
            implements Plan {}

    record Delete(Target target, Output output, Condition where) implements Plan {}

    /** Which methods a table has. */
    static List<String> methods(Table table) {
        return table.kind().writable()
                ? List.of("OPTIONS", "GET", "HEAD", "POST", "PATCH", "DELETE")
                : List.of("OPTIONS", "GET", "HEAD");
    }

    /** Whether a request needs facts of the schema that PostgreSQL does not look at again when the plan runs. */
    static boolean needsCurrentSchema(ApiRequest request) {
        return request.action() == ApiRequest.Action.INSERT
                && (request.preferences().resolution().isPresent()
                        || request.preferences().returns(Representation.HEADERS_ONLY));
    }
}
