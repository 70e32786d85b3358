package svc.rest.openapi;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.catalog.ProjectSchema;
import svc.catalog.Routine;
import svc.catalog.Table;
import svc.database.sql.SqlFragment;
import svc.postgres.flush.FlushRow;

/**
 * The tables and functions, by OID, on which the caller's role has any privilege. The functions that test privileges are
 * the only part of the catalog that callers can use. Objects dropped meanwhile have no privileges.
 */
record Privileges(Set<Long> tables, Set<Long> routines) {
    /** Returns one row with two columns for two binds, both arrays of OIDs. */
    static final SqlFragment QUERY = SqlFragment.of("""
            SELECT
                (SELECT pg_catalog.string_agg(c.oid::pg_catalog.text, ',')
                 FROM pg_catalog.unnest(?::pg_catalog.oid[]) c(oid)
                 WHERE pg_catalog.has_table_privilege(
                           c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
                    OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')),
                (SELECT pg_catalog.string_agg(p.oid::pg_catalog.text, ',')
                 FROM pg_catalog.unnest(?::pg_catalog.oid[]) p(oid)
                 WHERE pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))""");

    static List<String> binds(ProjectSchema schema) {
        return List.of(
                array(schema.tables().stream().map(Table::oid).toList()),
                array(schema.routines().all().stream()
                        .flatMap(List::stream)
                        .map(Routine::oid)
                        .toList()));
    }

    static Privileges of(FlushRow row) {
        return new Privileges(
                numbers(row.text(0).orElse("")), numbers(row.text(1).orElse("")));
    }

    private static String array(Collection<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    private static Set<Long> numbers(String text) {
        return Arrays.stream(text.split(","))
                .flatMap(one -> one.isEmpty() ? Stream.empty() : Stream.of(Long.valueOf(one)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
