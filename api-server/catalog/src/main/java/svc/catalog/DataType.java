package svc.catalog;

import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/**
 * A type of the database. One value of it is shared by all columns and parameters of a schema that have it.
 *
 * @param id as {@code pg_type} has it: {@code pg_catalog.int8}, {@code pg_catalog._text}
 * @param displayed as {@code format_type} writes it, without lengths: {@code bigint}, {@code text[]},
 *     {@code proj.mood}; OpenAPI's {@code format}
 * @param form what kind of type it is
 * @param base of a domain: the type under all domains; empty for everything else
 * @param enumValues labels of an enum, in their order
 * @param representations functions that a domain is read and written through
 */
public record DataType(
        QualifiedIdentifier id,
        String displayed,
        Form form,
        Optional<DataType> base,
        List<String> enumValues,
        Representations representations) {
    private static final String BUILTIN = "pg_catalog";

    public DataType {
        enumValues = List.copyOf(enumValues);
    }

    /** What kind of type it is. */
    public enum Form {
        BASE,
        ARRAY,
        COMPOSITE,
        DOMAIN,
        ENUM,
        PSEUDO,
        RANGE
    }

    /**
     * Domain representations: functions of implicit casts between a domain and json or text (PostgREST's "domain
     * representations"). A project of a shared database cannot create casts, hence has none.
     *
     * @param toJson domain to json: values of an answer pass through it
     * @param fromJson json to domain: values of a body pass through it
     * @param fromText text to domain: values of a filter pass through it
     */
    public record Representations(
            Optional<QualifiedIdentifier> toJson,
            Optional<QualifiedIdentifier> fromJson,
            Optional<QualifiedIdentifier> fromText) {
        public static final Representations NONE =
                new Representations(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The type's name without the schema: {@code int8}, {@code _text}. */
    public String name() {
        return id.name();
    }

    /** The type under all domains; the type itself when it is none. */
    public DataType underlying() {
        return base.orElse(this);
    }

    /** Whether it is the server's own type of that name, or a domain over it. */
    public boolean isBuiltin(String name) {
        QualifiedIdentifier under = underlying().id;
        return under.schema().equals(BUILTIN) && under.name().equals(name);
    }

    /** Whether arrows work on it as it is. */
    public boolean holdsJson() {
        return isBuiltin("json") || isBuiltin("jsonb");
    }

    /** Whether {@code to_jsonb} must be applied before arrows give anything: composites and arrays. */
    public boolean holdsFields() {
        return underlying().form == Form.COMPOSITE || underlying().form == Form.ARRAY;
    }

    /** Its name for a cast or a column definition: qualified, without a length. */
    public SqlFragment sql() {
        return id.sql();
    }
}
