CREATE FUNCTION add(a int, b int DEFAULT 10) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
CREATE FUNCTION found(lowest int) RETURNS SETOF projects LANGUAGE sql STABLE AS 'SELECT * FROM projects WHERE id >= lowest';
CREATE FUNCTION numbers(most int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT generate_series(1, most)';
CREATE FUNCTION pair(OUT x int, OUT y text) LANGUAGE sql STABLE AS $$ SELECT 1, 'two' $$;
CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION joined(parts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT array_to_string(parts, '-') $$;
CREATE FUNCTION echo(json) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION half() RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT 0.50';
CREATE FUNCTION raises() RETURNS void LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no luck' USING DETAIL = 'at all', HINT = 'try later'; END $$;
