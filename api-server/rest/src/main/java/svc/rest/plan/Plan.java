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

/** What is to be done, in terms of a schema: names are resolved as far as PostgreSQL needs it, values are still text. */
public sealed interface Plan {
    /** What comes back of the rows. */
    Output output();

    /** The table or view that is read or written. */
    default Target target() {
        return output().read().target();
    }

    /** Its name in statements. */
    default SqlFragment relation() {
        return target().table().id().sql();
    }

    /**
     * How rows become the answer.
     *
     * @param body whether rows are rendered at all
     * @param rendering in what
     * @param read what of the rows; of a write, from the rows that it touched
     * @param keyOf columns whose values of the first row are wanted for a Location; empty for none
     */
    record Output(boolean body, Rendering rendering, ReadPlan read, List<Identifier> keyOf) {}

    /**
     * @param count whether all rows that fulfil the condition are counted, besides those in range
     * @param countUpTo where counting ends
     */
    record Read(Output output, Optional<Count> count, OptionalLong countUpTo) implements Plan {}

    /** @param conflict what happens to rows whose key exists; an error when empty */
    record Insert(Output output, List<Group> groups, Optional<Conflict> conflict) implements Plan {}

    /**
     * One row, which is inserted, or replaces the one of its key.
     *
     * @param where what the row must fulfil to be written: the key that the request names
     */
    record Upsert(Output output, Group group, Conflict conflict, Condition where) implements Plan {}

    /**
     * Rows that give the same columns; the others of the table take their default.
     *
     * @param rows how the rows are read
     */
    record Group(List<Identifier> columns, Rows rows) {}

    /**
     * The rows of a body.
     *
     * @param json an array of objects
     * @param only the columns to read them by; empty for the table's row type of the moment, which is right as long as no
     *     column that is left out has a domain that refuses null
     */
    record Rows(String json, List<Table.Column> only) {
        public Rows {
            only = List.copyOf(only);
        }
    }

    /** @param key the columns by which a row is a duplicate */
    record Conflict(List<Identifier> key, Resolution resolution) {}

    /**
     * @param columns that take their value from the row
     * @param defaulted columns that take their default
     * @param rows with one object
     */
    record Update(Output output, List<Identifier> columns, List<Identifier> defaulted, Rows rows, Condition where)
            implements Plan {
        /** Whether no column is to be set. */
        public boolean changesNothing() {
            return columns.isEmpty() && defaulted.isEmpty();
        }
    }

    record Delete(Output output, Condition where) implements Plan {}

    /**
     * A function is called, and its answer read like a relation.
     *
     * @param given its arguments
     * @param values whether what it gives are values rather than rows
     * @param computed functions that read like columns of its rows, as far as the answer needs them
     * @param wholeRow whether a computed relationship starts from its rows
     * @param counted whether all rows that fulfil the condition are counted
     */
    record Call(
            Output output,
            Routine routine,
            Given given,
            boolean values,
            List<Identifier> computed,
            boolean wholeRow,
            boolean counted)
            implements Plan {}

    /** The arguments of a call. */
    sealed interface Given {
        /** Values of an object's keys. */
        record Fields(List<Routine.Parameter> parameters, String json) implements Given {}

        /** Values as text, which the parameters' types read. */
        record Texts(List<Text> values) implements Given {}

        /** A body for a parameter without a name. */
        record Whole(Routine.Parameter parameter, String value) implements Given {}
    }

    /** One argument as text. */
    record Text(Routine.Parameter parameter, String value) {}

    /** Whether a request needs facts of the schema that PostgreSQL does not look at again when the plan runs. */
    static boolean needsCurrentSchema(ApiRequest request) {
        boolean all = request.read().select().contains(new SelectItem.All());
        boolean more = request.read().select().size() > 1
                || !request.read().rows().order().isEmpty();
        return namesEveryColumn(request.read().select())
                || request.action().writes() && all && more
                || request.action() == ApiRequest.Action.INSERT
                        && (request.preferences().resolution().isPresent()
                                || request.preferences().returns(Representation.HEADERS_ONLY));
    }

    /** Whether an asterisk may be written out: where rows are grouped, and in what is spread. */
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
