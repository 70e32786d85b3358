package svc.bench.measure;

/** The tables that requests are measured on, and the statements of one of them. */
public final class BenchTables {
    public static final int ITEMS = 1000;

    private static final String ITEM = """
            CREATE TABLE author (id int PRIMARY KEY, name text);
            CREATE TABLE item (id int PRIMARY KEY, title text, price numeric, author_id int REFERENCES author,
              made timestamptz DEFAULT now());
            INSERT INTO author SELECT n, 'author ' || n FROM generate_series(1, 100) AS n;
            INSERT INTO item SELECT n, 'item ' || n, n * 1.5, n %% 100 + 1 FROM generate_series(1, %d) AS n;
            """;
    private static final String OTHERS = """
            CREATE TABLE review (id int PRIMARY KEY, item_id int REFERENCES item, rating int, body text);
            CREATE INDEX ON review (item_id);
            INSERT INTO review SELECT n, n %% %1$d + 1, n %% 5, 'review ' || n FROM generate_series(1, 3 * %1$d) AS n;
            CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text,
              made timestamptz DEFAULT now());
            CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
            """;
    private static final String READ_BY_KEY = """
            \\set id random(1, %2$d)
            BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
            SELECT pg_catalog.num_nulls(pg_catalog.set_config('search_path', '%1$s, svc_views, pg_catalog, extensions', true), \
            pg_catalog.set_config('role', '%1$s_anon', true), \
            pg_catalog.set_config('request.jwt.claims', '{"role":"anon"}', true), \
            pg_catalog.set_config('request.method', 'GET', true), \
            pg_catalog.set_config('request.path', '/item', true), \
            pg_catalog.set_config('request.headers', '{"host":"127.0.0.1"}', true));
            SELECT NULL, pg_catalog.count(*), COALESCE((pg_catalog.json_agg(t.*))::pg_catalog.text, '[]') \
            FROM (SELECT item.id AS id, item.title AS title FROM %1$s.item AS item WHERE (item.id = :id) LIMIT 1000) t;
            COMMIT;
            """;

    private static final String INSERT = """
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
            SELECT pg_catalog.num_nulls(pg_catalog.set_config('search_path', '%1$s, svc_views, pg_catalog, extensions', true), \
            pg_catalog.set_config('role', '%1$s_anon', true), \
            pg_catalog.set_config('request.jwt.claims', '{"role":"anon"}', true), \
            pg_catalog.set_config('request.method', 'POST', true), \
            pg_catalog.set_config('request.path', '/entry', true), \
            pg_catalog.set_config('request.headers', '{"host":"127.0.0.1"}', true));
            WITH pgrst_source AS (INSERT INTO %1$s.entry(title) SELECT title FROM \
            pg_catalog.json_to_recordset('[{"title":"entry 7"}]') AS pgrst_body(title text) RETURNING 1) \
            SELECT NULL, pg_catalog.count(*), '' FROM pgrst_source;
            COMMIT;
            """;
    private static final String BARE_INSERT = """
            INSERT INTO %s.entry(title) VALUES ('entry 7');
            """;

    private BenchTables() {}

    /** The script that makes what {@link Exchange#READ_BY_KEY} needs. */
    public static String item() {
        return ITEM.formatted(ITEMS);
    }

    /** The script that makes all of them. */
    public static String all() {
        return item() + OTHERS.formatted(ITEMS);
    }

    /** What PostgreSQL is sent for one read by key, with the values that belong to it, as a script of pgbench. */
    public static String readByKey(String schema) {
        return READ_BY_KEY.formatted(schema, ITEMS);
    }

    /** The same for one insert. */
    public static String insert(String schema) {
        return INSERT.formatted(schema);
    }

    /** One statement that is a transaction by itself: less than what any API has to do for an insert. */
    public static String bareInsert(String schema) {
        return BARE_INSERT.formatted(schema);
    }
}
