package svc.api.rest.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.Condition;
import svc.api.rest.request.Preferences.Count;
import svc.api.rest.request.Preferences.Representation;
import svc.api.rest.request.Preferences.Resolution;
import svc.api.rest.request.SelectItem;
import svc.api.rest.schema.Table;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

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
     * @param read what of the rows; of a write, from the rows that it touched
     * @param keyOf columns whose values of the first row are wanted for a Location; empty for none
     */
    record Output(boolean body, boolean singular, boolean nullsStripped, ReadPlan read, List<Identifier> keyOf) {}

    /**
     * @param count whether all rows that fulfil the condition are counted, besides those in range
     * @param countUpTo where counting ends
     */
    record Read(Output output, Optional<Count> count, OptionalLong countUpTo) implements Plan {}

    /** @param conflict what happens to rows whose key exists; an error when empty */
    record Insert(Output output, List<Group> groups, Optional<Conflict> conflict) implements Plan {}

    /** Rows that give the same columns; the others of the table take their default. */
    record Group(List<Identifier> columns, String jsonArray) {}

    /** @param key the columns by which a row is a duplicate */
    record Conflict(List<Identifier> key, Resolution resolution) {}

    /** @param json an array with one object; no column means that nothing is changed */
    record Update(Output output, List<Identifier> columns, String json, Condition where) implements Plan {}

    record Delete(Output output, Condition where) implements Plan {}

    /** Which methods a table has. */
    static List<String> methods(Table table) {
        return table.kind().writable()
                ? List.of("OPTIONS", "GET", "HEAD", "POST", "PATCH", "DELETE")
                : List.of("OPTIONS", "GET", "HEAD");
    }

    /** Whether a request needs facts of the schema that PostgreSQL does not look at again when the plan runs. */
    static boolean needsCurrentSchema(ApiRequest request) {
        return namesEveryColumn(request.read().select())
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
