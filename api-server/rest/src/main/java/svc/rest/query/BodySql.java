package svc.rest.query;

import svc.catalog.ParameterTypes;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlFragment;
import svc.rest.plan.Plan.Output;
import svc.rest.plan.Rendering.Format;

/**
 * The outer SELECT of a statement: counts, and the body that PostgreSQL renders. Functions are schema-qualified, because
 * the tenant's schema comes first in the search path, except those that the tenant provides.
 */
final class BodySql {
    /** PostgREST's alias of the rows, which media type handlers may use. */
    private static final SqlFragment ROW = SqlFragment.of("_postgrest_t");

    private static final Identifier CSV_ROWS = Identifier.of("pgrst_csv");
    private static final Identifier SCALAR = Identifier.of("pgrst_scalar");

    /** The shape of the rows. */
    enum Of {
        /** Rows, each an object of an array. */
        ROWS,
        /** The only row of a function that does not return a set. */
        ONE_ROW,
        /** Values of a scalar function that returns a set, each an element of an array. */
        VALUES,
        /** The only value of a scalar function. */
        ONE_VALUE
    }

    private final QueryWriter out;
    private final Output output;
    private final Of of;
    private final ParameterTypes types;

    /** @param types of the statement's parameters */
    BodySql(QueryWriter out, Output output, Of of, ParameterTypes types) {
        this.out = out;
        this.output = output;
        this.of = of;
        this.types = types;
    }

    /**
     * Writes the statement that returns the single row of the result.
     *
     * @param with whether a WITH clause precedes it
     * @param total writes the total number of rows
     * @param further writes additional columns
     */
    void write(boolean with, Runnable total, Runnable rows, Runnable further) {
        boolean csv = output.body() && output.rendering().format() instanceof Format.Csv;
        if (csv) {
            // A common table expression, because the header line uses its first row too.
            out.sql(with ? "," : "WITH ").value(CSV_ROWS).sql(" AS (");
            rows.run();
            out.sql(")");
        }
        out.sql(" SELECT ");
        total.run();
        out.sql(",pg_catalog.count(*),");
        body();
        out.sql(",NULLIF(pg_catalog.current_setting('response.headers',true),'')")
                .sql(",NULLIF(pg_catalog.current_setting('response.status',true),'')");
        further.run();
        out.value(types.sql()).sql(" FROM ");
        if (csv) {
            out.value(CSV_ROWS);
        } else {
            out.sql("(");
            rows.run();
            out.sql(")");
        }
        out.sql(" ").value(ROW);
    }

    private void body() {
        if (!output.body()) {
            out.sql("''");
            return;
        }
        switch (output.rendering().format()) {
            case Format.Json json -> json(json.nullsStripped(), of == Of.ONE_ROW || of == Of.ONE_VALUE);
            case Format.SingleObject one -> json(one.nullsStripped(), true);
            case Format.Csv unused -> csv();
            case Format.GeoJson unused -> geoJson();
            case Format.Value value -> value(value.binary());
            case Format.Handler handler -> handler(handler);
        }
    }

    private void json(boolean nullsStripped, boolean first) {
        out.sql("COALESCE((").sql(nullsStripped ? "pg_catalog.json_strip_nulls(" : "");
        out.sql("pg_catalog.json_agg(");
        element();
        out.sql(")").sql(nullsStripped ? ")" : "");
        out.sql(first ? "->0)::pg_catalog.text,'null')" : ")::pg_catalog.text,'[]')");
    }

    /**
     * Each row is PostgreSQL's row literal without the parentheses, which is CSV of RFC 4180 but for backslashes: it doubles
     * each, quotes or not. PostgREST leaves them so, and a line sent back would store other values.
     */
    private void csv() {
        out.sql(
                        "(SELECT COALESCE(pg_catalog.string_agg(CASE WHEN pg_catalog.strpos(pg_catalog.translate(k,E',\\r\\n','\"\"\"'),'\"') > 0"
                                + " THEN pg_catalog.concat('\"',pg_catalog.replace(k,'\"','\"\"'),'\"') ELSE k END,','),'')"
                                + " FROM (SELECT pg_catalog.json_object_keys(r) AS k FROM"
                                + " (SELECT pg_catalog.row_to_json(hh) AS r FROM ")
                .value(CSV_ROWS)
                .sql(
                        " AS hh LIMIT 1) s) a)||E'\\n'||COALESCE(pg_catalog.string_agg(pg_catalog.replace(pg_catalog.substring(")
                .value(ROW)
                .sql("::pg_catalog.text,2,pg_catalog.length(")
                .value(ROW)
                .sql("::pg_catalog.text)-2),E'\\\\\\\\',E'\\\\'),E'\\n'),'')");
    }

    /** The search path resolves the PostGIS function. */
    private void geoJson() {
        out.sql("pg_catalog.json_build_object('type','FeatureCollection','features',"
                        + "COALESCE(pg_catalog.json_agg(ST_AsGeoJSON(")
                .value(ROW)
                .sql(")::pg_catalog.json),'[]'))");
    }

    private void value(boolean binary) {
        if (binary) {
            out.sql("COALESCE(pg_catalog.encode(pg_catalog.string_agg(");
            element();
            out.sql("::pg_catalog.bytea,''::pg_catalog.bytea),'hex'),'')");
        } else {
            out.sql("COALESCE(pg_catalog.string_agg(");
            element();
            out.sql("::pg_catalog.text,''),'')");
        }
    }

    private void handler(Format.Handler handler) {
        out.sql("COALESCE(").sql(handler.binary() ? "pg_catalog.encode(" : "");
        out.value(handler.function().sql()).sql("(").value(ROW);
        if (handler.ofRelation()) {
            out.sql("::").value(output.read().target().table().id().sql());
        }
        out.sql(")").sql(handler.binary() ? "::pg_catalog.bytea,'hex')" : "::pg_catalog.text");
        out.sql(",'')");
    }

    /** The row, or its single value. */
    private void element() {
        if (of == Of.VALUES || of == Of.ONE_VALUE) {
            out.value(ROW).sql(".").value(SCALAR);
        } else {
            // Without the asterisk a column of the same name would be selected.
            out.value(ROW).sql(".*");
        }
    }
}
