package svc.rest.request;

import java.util.List;
import java.util.Optional;

/**
 * What a caller asks for, read from the HTTP request and nothing else: no database, no schema. Everything in it that is a
 * name or a value is still the caller's word.
 *
 * @param headOnly whether the answer has no body
 * @param profile the schema asked for by Accept-Profile or Content-Profile
 * @param read what is wanted of the rows that are read, or that come back from a write
 * @param columns {@code columns=}, the only keys of the body that a write looks at
 * @param onConflict {@code on_conflict=}, the columns that make a row a duplicate
 * @param payload of a write; empty for others
 * @param arguments of a call; empty for others
 * @param canonicalQuery all parameters in the order of their names
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
        List<QueryString.Parameter> canonicalQuery) {
    /** Filters of the relation that the path names. */
    public Condition where() {
        return read.rows().where();
    }

    /** What the path names. */
    public sealed interface Resource {
        /** {@code /}: the description of the API. */
        record Root() implements Resource {}

        /** A table or view. */
        record Relation(String name) implements Resource {}

        /** A function, {@code /rpc/…}. */
        record Routine(String name) implements Resource {}
    }

    /** What is to be done with it. */
    public enum Action {
        READ,
        INSERT,
        UPDATE,
        /** PUT: one row, which is inserted or replaced. */
        UPSERT,
        DELETE,
        /** POST of a function. */
        CALL,
        /** GET of a function, which may change nothing then. */
        CALL_READ,
        /** OPTIONS: which methods there are. */
        INFO;

        public boolean writes() {
            return this == INSERT || this == UPDATE || this == UPSERT || this == DELETE;
        }
    }
}
