package svc.catalog;

import java.util.Optional;

/**
 * A function {@code f(table)} that returns one scalar and can be selected like a column of the table.
 *
 * @param oid OID of the function, for privilege checks
 * @param description its comment
 */
public record ComputedColumn(
        QualifiedIdentifier function,
        QualifiedIdentifier table,
        DataType type,
        long oid,
        Optional<String> description) {}
