package svc.sqlgate.lexical;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Statements as migrations of applications have them, in the spellings that people and their tools use. */
final class OrdinaryStatements {
    static final List<String> ALL = List.of(
            "CREATE TABLE public.todos (\n  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),\n\n\n  title text NOT NULL CHECK (char_length(title) > 3)\n)",
            "create table if not exists profiles (id uuid references auth.users on delete cascade not null primary key, username text unique)",
            "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY, doc jsonb NOT NULL DEFAULT '{}'::jsonb, made timestamptz DEFAULT now())",
            "CREATE TABLE t (a int, b int, PRIMARY KEY (a, b), UNIQUE (b), CONSTRAINT c CHECK (a <> b))",
            "CREATE TABLE t (a int GENERATED ALWAYS AS (b * 2) STORED, b int)",
            "CREATE TABLE p (id int, at date) PARTITION BY RANGE (at)",
            "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
            "CREATE TABLE c AS SELECT * FROM t WITH NO DATA",
            "CREATE UNLOGGED TABLE q (LIKE t INCLUDING ALL)",
            "ALTER TABLE todos ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE ONLY public.todos ADD CONSTRAINT todos_owner FOREIGN KEY (owner) REFERENCES auth.users (id) ON DELETE SET NULL",
            "ALTER TABLE todos ADD COLUMN IF NOT EXISTS done boolean NOT NULL DEFAULT false, DROP COLUMN IF EXISTS old CASCADE",
            "ALTER TABLE todos ALTER COLUMN price TYPE numeric(10, 2) USING price::numeric(10,2)",
            "ALTER TABLE todos RENAME COLUMN a TO b",
            "ALTER TABLE todos REPLICA IDENTITY FULL",
            "CREATE POLICY \"Users see; their own\" ON todos FOR SELECT TO authenticated USING ((select auth.uid()) = owner)",
            "CREATE POLICY ins ON todos FOR INSERT WITH CHECK (auth.jwt() ->> 'role' = 'admin')",
            "DROP POLICY IF EXISTS \"it's\" ON public.todos",
            "CREATE INDEX IF NOT EXISTS i ON todos USING gin (doc jsonb_path_ops)",
            "CREATE UNIQUE INDEX ON todos (lower(title), (doc ->> 'a')) WHERE NOT done",
            "CREATE INDEX i ON items USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)",
            "CREATE OR REPLACE VIEW v WITH (security_invoker = on) AS SELECT t.*, count(*) OVER (PARTITION BY a ORDER BY b) AS n FROM t",
            "CREATE MATERIALIZED VIEW m AS SELECT date_trunc('day', made) AS day, count(*) FILTER (WHERE done) FROM t GROUP BY 1",
            "REFRESH MATERIALIZED VIEW m",
            "CREATE TYPE mood AS ENUM ('sad', 'it''s; ok', '--')",
            "ALTER TYPE mood ADD VALUE IF NOT EXISTS 'happy' AFTER 'sad'",
            "CREATE TYPE pair AS (a int, b text)",
            "CREATE DOMAIN email AS citext CHECK (value ~ '^[^@;]+@[^@]+$')",
            "CREATE SEQUENCE IF NOT EXISTS s START 100 OWNED BY t.id",
            "ALTER SEQUENCE s RESTART WITH 1",
            "SELECT setval('s', (SELECT max(id) FROM t))",
            "CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" WITH SCHEMA extensions",
            "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n  NEW.updated = now(); -- it's\n\n\n  RETURN NEW;\nEND;\n$$",
            "CREATE OR REPLACE FUNCTION public.add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS $fn$ SELECT a + b; $fn$",
            "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1;'",
            "CREATE FUNCTION two() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END",
            "CREATE FUNCTION three() RETURNS int LANGUAGE sql RETURN 3",
            "CREATE FUNCTION hook() RETURNS trigger SECURITY DEFINER SET search_path = '' AS $$ begin return new; end; $$ LANGUAGE plpgsql",
            "CREATE PROCEDURE tidy() LANGUAGE sql AS $$ DELETE FROM t WHERE done; $$",
            "CREATE TRIGGER touch BEFORE UPDATE ON todos FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch()",
            "CREATE CONSTRAINT TRIGGER c AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE PROCEDURE f()",
            "DROP TRIGGER IF EXISTS touch ON todos",
            "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'mood') THEN CREATE TYPE mood AS ENUM ('a'); END IF; END $$",
            "GRANT SELECT, INSERT (title), UPDATE ON todos TO anon, authenticated",
            "GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role",
            "REVOKE ALL ON FUNCTION add(int, int) FROM PUBLIC",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO authenticated",
            "COMMENT ON TABLE todos IS 'Things; to do -- soon'",
            "COMMENT ON COLUMN todos.title IS E'a\\tb'",
            "INSERT INTO todos (title, doc) VALUES ('a;b', '{\"k\": \"v;\"}'), ('C:\\dir', NULL), ('// no comment', '[]'), ('#1', '{}')",
            "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = EXCLUDED.a WHERE t.a <> 2 RETURNING *",
            "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 10) AS i",
            "INSERT INTO t (a) VALUES ($txt$it's; $ here$txt$)",
            "INSERT INTO storage.buckets (id, name, public) VALUES ('avatars', 'avatars', true)",
            "UPDATE todos SET done = true, title = title || ' (done)' FROM people p WHERE p.id = todos.owner",
            "DELETE FROM todos USING people WHERE todos.owner = people.id AND people.gone",
            "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN UPDATE SET a = u.a WHEN NOT MATCHED THEN INSERT VALUES (u.id, u.a)",
            "TRUNCATE todos, people RESTART IDENTITY CASCADE",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
            "WITH gone AS (DELETE FROM t RETURNING *) INSERT INTO old SELECT * FROM gone",
            "SELECT a\n\n\nFROM t\n\n\nWHERE b = 'x'\n\n\nORDER BY a",
            "SELECT t.a, u.b FROM t LEFT JOIN u USING (id) CROSS JOIN LATERAL (SELECT 1) l WHERE t.a IS NOT NULL LIMIT 5 OFFSET 2",
            "SELECT doc -> 'a' -> 0, doc #>> '{a,b}', doc @> '{}', doc ? 'k' FROM t",
            "SELECT (ARRAY[1, 2])[1], '{1,2}'::int[], (ROW(1, 2)).*, x'1f', B'01', U&'d\\0061t', 1.5e3, .5, 1_000",
            "SELECT CASE WHEN a > 0 THEN 'p' WHEN a = 0 THEN 'z' ELSE 'n' END, coalesce(a, 0), a BETWEEN 1 AND 2, a IN (1, 2) FROM t",
            "SELECT 'a'\n 'b'",
            "SELECT interval '1 day' + now() AT TIME ZONE 'utc', extract(epoch FROM now()), date '2026-01-01'",
            "SELECT \"select\", \"a;b\", \"c\"\"d\" FROM \"from\" AS \"where\"",
            "SELECT json_build_object('a', 1), to_tsvector('english', 'it''s') @@ plainto_tsquery('x'), percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t",
            "SELECT a FROM t WHERE a ~ '^\\d+;$' OR a LIKE '%\\_%' ESCAPE '\\'",
            "SELECT cron.schedule('nightly', '0 0 * * *', $$DELETE FROM t WHERE old; SELECT 1$$)",
            "VALUES (1, 'a;'), (2, 'b')",
            "EXPLAIN (ANALYZE, COSTS off) SELECT * FROM t",
            "ALTER PUBLICATION supabase_realtime ADD TABLE todos",
            "NOTIFY pgrst, 'reload schema'",
            "SET search_path = public, extensions",
            "SET statement_timeout = 0",
            "SELECT pg_catalog.set_config('search_path', '', false)",
            "DROP TABLE IF EXISTS a, b CASCADE",
            "DROP FUNCTION IF EXISTS public.add(int, int)",
            "ALTER FUNCTION add(int, int) SET search_path = ''",
            "CREATE STATISTICS st ON a, b FROM t",
            "CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int, initcond = '0')",
            "CREATE RULE r AS ON DELETE TO t DO INSTEAD (UPDATE t SET done = true; SELECT 1)",
            "ANALYZE t",
            "LOCK TABLE t IN SHARE MODE",
            "CALL tidy()");

    private static final List<String> BEFORE = List.of(
            "",
            "",
            "\n",
            "\n\n\n\n",
            "-- it's; a comment\n",
            "/* one; /* two; */ 'three */\n",
            "\r\n\r\n\r\n",
            "--;\n\n\n\n");

    private OrdinaryStatements() {}

    static List<String> some(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ALL.get(random.nextInt(ALL.size())))
                .toList();
    }

    /** The statements one after the other, with what people put between them. */
    static String script(Random random, List<String> statements) {
        var text = new StringBuilder();
        for (String statement : statements) {
            text.append(BEFORE.get(random.nextInt(BEFORE.size())))
                    .append(statement)
                    .append(random.nextBoolean() ? ";" : " ;\n");
        }
        return text.toString();
    }
}
