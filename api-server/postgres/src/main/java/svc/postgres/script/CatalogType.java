package svc.postgres.script;

import java.util.List;

/**
 * A type of a database that is not built in, from its catalog.
 *
 * @param kind {@code typtype}: b, c, d, e, m, r
 * @param element type of an array's elements; 0 for what is no array
 * @param base of a domain; 0 for what is none
 * @param delimiter between elements of an array of this type
 * @param fields of a composite, in their order
 */
public record CatalogType(String name, char kind, int element, int base, char delimiter, List<Field> fields) {
    public CatalogType {
        fields = List.copyOf(fields);
    }

    /** A field of a composite. */
    public record Field(String name, int typeOid) {}
}
