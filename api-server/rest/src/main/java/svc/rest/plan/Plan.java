package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import svc.catalog.Routine;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.rest.request.ApiRequest;
import svc.rest.request.Condition;
import svc.rest.request.Preferences.Count;
import svc.rest.request.Preferences.Representation;
import svc.rest.request.Preferences.Resolution;
import svc.rest.request.SelectItem;

/** The plan of a request: names are resolved as far as the statement needs it, values are still text. */
public sealed interface Plan {
    /** The result of the rows. */
    Output output();

    /** The relation that is read or written. */
    default Target target() {
        return output().read().target();
    }

    /** The relation's qualified name. */
    default SqlFragment relation() {
        return target().table().id().sql();
    }

    /**
     * How the rows become the response.
     *
     * @param body whether the response has a body
     * @param rendering media type and format
     * @param read what is selected; for a write, from the affected rows
     * @param keyOf columns of the first row for the Location header; empty for none
     */
    record Output(boolean body, Rendering rendering, ReadPlan read, List<Identifier> keyOf) {}

    /**
     * @param count how all matching rows are counted, regardless of the range
     * @param countUpTo maximum number of rows to count
     */
    record Read(Output output, Optional<Count> count, OptionalLong countUpTo) implements Plan {}

    /** @param conflict what happens to duplicate rows; an error if empty */
    record Insert(Output output, List<Group> groups, Optional<Conflict> conflict) implements Plan {}

    /**
     * PUT: inserts one row or replaces the row with its key.
     *
     * @param where the filter on the primary key, which the row must match
     */
    record Upsert(Output output, Group group, Conflict conflict, Condition where) implements Plan {}

    /**
     * Rows with the same columns; the table's other columns take their default.
     *
     * @param rows their JSON
     */
    record Group(List<Identifier> columns, Rows rows) {}

    /**
     * The rows of a body.
     *
     * @param json an array of objects
     * @param only the columns to parse; empty for the table's current row type, which is possible if no absent column has a
     *     NOT NULL domain
     * @param texts whether values of JSON columns are texts of JSON
     */
    record Rows(String json, List<Table.Column> only, boolean texts) {
        public Rows {
            only = List.copyOf(only);
        }
    }

    /**
     * @param key the columns that define duplicates
     * @param merged the columns that a duplicate takes from the new row; a group of rows without one of them sets its
     *     default
     */
    record Conflict(List<Identifier> key, Resolution resolution, List<Identifier> merged) {}

    /**
     * @param columns set to the values of the row
     * @param defaulted columns set to their default
     * @param rows with one object
     */
    record Update(Output output, List<Identifier> columns, List<Identifier> defaulted, Rows rows, Condition where)
            implements Plan {
        /** Whether no column is set. */
        public boolean changesNothing() {
            return columns.isEmpty() && defaulted.isEmpty();
        }
    }

    record Delete(Output output, Condition where) implements Plan {}

    /**
     * Calls a function and reads its result like a relation.
     *
     * @param arguments its arguments
     * @param values whether it returns values rather than rows
     * @param computed the computed columns that the request uses
     * @param wholeRow whether a computed relationship starts from its rows
     * @param counted whether all matching rows are counted
     */
    record Call(
            Output output,
            Routine routine,
            CallArguments arguments,
            boolean values,
            List<Identifier> computed,
            boolean wholeRow,
            boolean counted)
            implements Plan {}

    /** The arguments of a call. */
    sealed interface CallArguments {
        /**
         * Values of a JSON object, by key.
         *
         * @param texts whether values of JSON parameters are texts of JSON
         */
        record Fields(List<Routine.Parameter> parameters, String json, boolean texts) implements CallArguments {}

        /** Text values, which PostgreSQL parses as the parameters' types. */
        record Texts(List<TextArgument> values) implements CallArguments {}

        /** The whole body for a single unnamed parameter. */
        record Whole(Routine.Parameter parameter, String value) implements CallArguments {}
    }

    /** One argument as text. */
    record TextArgument(Routine.Parameter parameter, String value) {}

    /** Whether the plan depends on parts of the schema that PostgreSQL does not check again when the statement runs. */
    static boolean needsCurrentSchema(ApiRequest request) {
        boolean all = request.read().select().contains(new SelectItem.All());
        boolean more = request.read().select().size() > 1
                || !request.read().rows().order().isEmpty();
        return namesEveryColumn(request.read().select())
                || !request.ambiguousNames().isEmpty()
                || request.action().writes() && all && more
                || request.action() == ApiRequest.Action.INSERT
                        && (request.preferences().resolution().isPresent()
                                || request.preferences().returns(Representation.HEADERS_ONLY));
    }

    /** Whether an asterisk may be expanded: in grouped rows and in spread resources. */
    private static boolean namesEveryColumn(List<SelectItem> select) {
        boolean all = select.contains(new SelectItem.All());
        return select.stream().anyMatch(item -> switch (item) {
            case SelectItem.All unused -> false;
            case SelectItem.One one -> all && one.aggregate().isPresent();
            case SelectItem.Embed embed -> namesEveryColumn(embed.select());
            case SelectItem.Spread spread ->
                all || spread.select().contains(new SelectItem.All()) || namesEveryColumn(spread.select());
        });
    }
}
