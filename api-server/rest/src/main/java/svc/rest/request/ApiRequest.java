package svc.rest.request;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed request, without knowledge of the database or the schema: names and values are not validated yet.
 *
 * @param headOnly whether the method is HEAD
 * @param profile the schema that Accept-Profile or Content-Profile selects
 * @param read selection, filters, order and range of the rows that are read or returned by a write
 * @param columns {@code columns=}, the keys of the body that a write uses
 * @param onConflict {@code on_conflict=}, the columns that define duplicates
 * @param payload of a write; empty for others
 * @param arguments of a call; empty for others
 * @param canonicalQuery all parameters sorted by name
 * @param ambiguousNames reserved names in the query that can be meant for a column or an argument of that name
 */
public record ApiRequest(
        Resource resource,
        Action action,
        boolean headOnly,
        Optional<String> profile,
        ReadRequest read,
        Optional<List<String>> columns,
        Optional<List<String>> onConflict,
        Preferences preferences,
        Accept accept,
        Optional<Payload> payload,
        Optional<Arguments> arguments,
        List<QueryString.Parameter> canonicalQuery,
        Set<String> ambiguousNames) {
    /** The filters on the relation of the path. */
    public Condition where() {
        return read.rows().where();
    }

    /** The resource of the path. */
    public sealed interface Resource {
        /** {@code /}: the OpenAPI document, and batches. */
        record Root() implements Resource {}

        /** A table or view. */
        record Relation(String name) implements Resource {}

        /** A function, {@code /rpc/…}. */
        record Routine(String name) implements Resource {}
    }

    /** The action on the resource. */
    public enum Action {
        READ,
        INSERT,
        UPDATE,
        /** PUT: inserts or replaces one row. */
        UPSERT,
        DELETE,
        /** POST on a function. */
        CALL,
        /** GET on a function, in a read-only transaction. */
        CALL_READ,
        /** OPTIONS: the allowed methods. */
        INFO;

        public boolean writes() {
            return this == INSERT || this == UPDATE || this == UPSERT || this == DELETE;
        }
    }
}
