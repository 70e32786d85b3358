-- What the calls of this folder are about.
CREATE TABLE shops (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE items (
  id int PRIMARY KEY, name text NOT NULL, shop_id int REFERENCES shops, price numeric, sold boolean, tags text[], extra jsonb,
  period int4range, words tsvector, code uuid
);
CREATE TABLE labels (id int PRIMARY KEY, name text);
CREATE TABLE item_labels (item_id int REFERENCES items, label_id int REFERENCES labels, PRIMARY KEY (item_id, label_id));
CREATE TABLE manual (item_id int PRIMARY KEY REFERENCES items, text text);
CREATE TABLE transfers (id int PRIMARY KEY, source int REFERENCES shops, target int REFERENCES shops);
CREATE TABLE log (id int PRIMARY KEY, text text DEFAULT 'said nothing', slug text UNIQUE);
CREATE TABLE notes (id int PRIMARY KEY, text text, owner text NOT NULL DEFAULT (auth.jwt() ->> 'sub'));

INSERT INTO shops VALUES (1, 'north'), (2, 'south');
INSERT INTO items VALUES
  (1, 'apple', 1, 1.5, true, '{x,y}', '{"a": 1, "b": {}}', '[1,5)', to_tsvector('english', 'the quick brown fox'),
    '00000000-0000-4000-8000-000000000001'),
  (2, 'b,(c)', 1, 2, false, '{x}', '{"b": {"c": "deep"}}', '[5,9)', to_tsvector('english', 'a lazy dog'),
    '00000000-0000-4000-8000-000000000002'),
  (3, 'Zoë & "co"', 2, 7, NULL, NULL, NULL, NULL, NULL, '00000000-0000-4000-8000-000000000599');
INSERT INTO labels VALUES (1, 'new'), (2, 'old');
INSERT INTO item_labels VALUES (1, 1), (2, 2);
INSERT INTO manual VALUES (1, 'read me');
INSERT INTO transfers VALUES (1, 1, 2);

ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON notes FOR ALL TO authenticated
  USING (owner = auth.jwt() ->> 'sub') WITH CHECK (owner = auth.jwt() ->> 'sub');
ALTER TABLE items ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone_reads ON items FOR SELECT TO PUBLIC USING (true);

CREATE FUNCTION shout(items) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)';
CREATE FUNCTION add(a int, b int DEFAULT 10) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
CREATE FUNCTION joined(parts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT array_to_string(parts, '-') $$;
CREATE FUNCTION same(value json) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT value';
CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION numbers(most int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT generate_series(1, most)';
CREATE FUNCTION pair(OUT x int, OUT y text) LANGUAGE sql STABLE AS $$ SELECT 1, 'two' $$;
CREATE FUNCTION cheaper(than numeric) RETURNS SETOF items LANGUAGE sql STABLE AS 'SELECT * FROM items WHERE price < than';
CREATE FUNCTION writes() RETURNS void LANGUAGE sql AS 'INSERT INTO log (id) VALUES (900)';
CREATE FUNCTION wait() RETURNS void LANGUAGE sql AS 'SELECT pg_sleep(20)';
CREATE FUNCTION raises() RETURNS void LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no luck' USING DETAIL = 'at all', HINT = 'try later'; END $$;
CREATE FUNCTION refuses() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE SQLSTATE 'PGRST' USING
    MESSAGE = '{"code":"tea","message":"I brew","details":null,"hint":null}',
    DETAIL = '{"status":418,"headers":{}}';
END $$;
CREATE FUNCTION whoami() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'sub', auth.jwt() ->> 'sub', 'role', auth.jwt() ->> 'role',
    'agent', current_setting('request.headers', true)::json ->> 'x-client-info') $$;
