package svc.catalog;

/** A function {@code f(table)} that returns one scalar and can be selected like a column of the table. */
public record ComputedColumn(QualifiedIdentifier function, QualifiedIdentifier table, DataType type) {}
