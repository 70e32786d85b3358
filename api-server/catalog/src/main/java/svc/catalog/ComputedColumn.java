package svc.catalog;

/** A function {@code f(table)} that returns one scalar, which reads like a column of the table. */
public record ComputedColumn(QualifiedIdentifier function, QualifiedIdentifier table, DataType type) {}
