package svc.database.project;

/** What is counted of a project's objects in a shared database, and how many it may have by default, see {@code shared/limits.sql}. */
public enum ObjectKind {
    /** Tables, partitions, views, materialized views and sequences. */
    RELATIONS("relations", 5_000),
    /** Of all relations and composite types, with the dropped ones of tables that still exist. */
    COLUMNS("columns", 100_000),
    INDEXES("indexes", 10_000),
    /** With procedures and aggregates. */
    FUNCTIONS("functions", 5_000),
    /** A call reads all functions of its name, those of other projects too. */
    FUNCTIONS_OF_ONE_NAME("functionsOfOneName", 100),
    /** An expression reads all operators of its name, those of other projects too. */
    OPERATORS("operators", 100),
    /** Enumerations, domains, ranges and composite types. */
    TYPES("types", 2_000),
    POLICIES("policies", 10_000),
    TRIGGERS("triggers", 10_000);

    private final String label;
    private final int standard;

    ObjectKind(String label, int standard) {
        this.label = label;
        this.standard = standard;
    }

    /** As in {@code spec.limits.objects}, in errors and in the database. */
    public String label() {
        return label;
    }

    /** The default limit. */
    public int standard() {
        return standard;
    }
}
