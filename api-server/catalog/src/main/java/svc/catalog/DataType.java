package svc.catalog;

import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/**
 * A data type. All columns and parameters of a schema with the same type share one instance.
 *
 * @param id as {@code pg_type} has it: {@code pg_catalog.int8}, {@code pg_catalog._text}
 * @param displayed as {@code format_type} writes it: {@code bigint}, {@code text[]}, {@code proj.mood}; of a column whose
 *     type is not built in with the column's modifier, {@code extensions.vector(3)}
 * @param form the kind of type, {@code pg_type.typtype}
 * @param base of a domain: the base type below all domains; empty for other types
 * @param element of an array: the type of its elements; empty for other types
 * @param enumValues labels of an enum, in order
 * @param description the comment of an enum
 * @param representations functions that convert a domain to and from JSON and text
 */
public record DataType(
        QualifiedIdentifier id,
        String displayed,
        Form form,
        Optional<DataType> base,
        Optional<DataType> element,
        List<String> enumValues,
        Optional<String> description,
        Representations representations) {
    private static final String BUILTIN = "pg_catalog";

    public DataType {
        enumValues = List.copyOf(enumValues);
    }

    /** The kind of a type. */
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
     * representations"). A project of a shared database cannot create casts, so it has none.
     *
     * @param toJson domain to json: applied to values of a response
     * @param fromJson json to domain: applied to values of a request body
     * @param fromText text to domain: applied to values of a filter
     */
    public record Representations(
            Optional<QualifiedIdentifier> toJson,
            Optional<QualifiedIdentifier> fromJson,
            Optional<QualifiedIdentifier> fromText) {
        public static final Representations NONE =
                new Representations(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The same type with another text for display. */
    DataType displayedAs(String other) {
        return new DataType(id, other, form, base, element, enumValues, description, representations);
    }

    /** The type's name without the schema: {@code int8}, {@code _text}. */
    public String name() {
        return id.name();
    }

    /** The base type below all domains; the type itself if it is not a domain. */
    public DataType underlying() {
        return base.orElse(this);
    }

    /** Whether it is the built-in type of that name, or a domain over it. */
    public boolean isBuiltin(String name) {
        QualifiedIdentifier under = underlying().id;
        return under.schema().equals(BUILTIN) && under.name().equals(name);
    }

    /** Whether the operators {@code ->} and {@code ->>} apply to it without a conversion. */
    public boolean isJson() {
        return isBuiltin("json") || isBuiltin("jsonb");
    }

    /** Whether {@code ->} applies after {@code to_jsonb}. */
    public boolean isCompositeOrArray() {
        return underlying().form == Form.COMPOSITE || underlying().form == Form.ARRAY;
    }

    /** Its qualified name, without a length, for a cast or a column definition. */
    public SqlFragment sql() {
        return id.sql();
    }
}
