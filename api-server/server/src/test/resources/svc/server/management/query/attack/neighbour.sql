-- The project beside the attacker's: a secret ($C) in every place that could carry one, and 1009 rows.
CREATE TYPE ladder AS ENUM ('$C-label', 'other');
CREATE DOMAIN checked AS text DEFAULT '$C-domain' CHECK (VALUE <> '$C-domaincheck');
CREATE TABLE secrets (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text DEFAULT '$C-default', CONSTRAINT c CHECK (body <> '$C-check'));
INSERT INTO secrets (body) SELECT '$C-row' FROM generate_series(1, 1009);
COMMENT ON TABLE secrets IS '$C-comment';
COMMENT ON COLUMN secrets.body IS '$C-columncomment';
CREATE INDEX secret_index ON secrets (id) WHERE body <> '$C-index';
CREATE VIEW secret_view AS SELECT id, '$C-view'::text AS v FROM secrets;
CREATE MATERIALIZED VIEW secret_matview AS SELECT '$C-matview'::text AS v;
CREATE FUNCTION secret_function(a text DEFAULT '$C-argument') RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT ''$C-source''::text';
CREATE FUNCTION secret_body() RETURNS text LANGUAGE sql RETURN '$C-body'::text;
COMMENT ON FUNCTION secret_body() IS '$C-functioncomment';
CREATE FUNCTION secret_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; /* $C-trigger */ END';
CREATE TRIGGER t BEFORE UPDATE ON secrets FOR EACH ROW WHEN (NEW.body <> '$C-when') EXECUTE FUNCTION secret_trigger('$C-triggerargument');
ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON secrets USING (body <> '$C-policy');
CREATE RULE r AS ON DELETE TO secret_view DO INSTEAD SELECT '$C-rule';
CREATE STATISTICS secret_statistics ON (body || '$C-statistics'), id FROM secrets;
CREATE TABLE secret_parts (id int, body text) PARTITION BY HASH (id);
CREATE TABLE public_board (id int PRIMARY KEY, note text);
INSERT INTO public_board VALUES (1, 'everybody may read this');
GRANT SELECT ON public_board TO PUBLIC;
CREATE SEQUENCE secret_sequence START 1009;
SELECT nextval('secret_sequence');
CREATE TEXT SEARCH CONFIGURATION secret_search (COPY = pg_catalog.simple);
CREATE TEXT SEARCH DICTIONARY secret_dictionary (TEMPLATE = pg_catalog.simple, STOPWORDS = english);
ALTER TEXT SEARCH CONFIGURATION secret_search ALTER MAPPING FOR word WITH secret_dictionary;
COMMENT ON TEXT SEARCH CONFIGURATION secret_search IS '$C-searchcomment';
CREATE COLLATION secret_collation FROM "C";
COMMENT ON COLLATION secret_collation IS '$C-collationcomment';
ANALYZE secrets;
CALL svc_statements.create_schema('private', false, ARRAY[
    'CREATE TABLE secrets AS SELECT ''$C-further''::text AS body',
    'CREATE VIEW secret_view AS SELECT body FROM secrets',
    'GRANT SELECT ON secrets TO PUBLIC']);
SELECT svc_pgmq.create('jobs'), svc_pgmq.send('jobs', '"$C-message"');
SET svc.vault_key = '1:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
SELECT svc_vault.create_secret('$C-vault', '$C-vaultname');
RESET svc.vault_key;
