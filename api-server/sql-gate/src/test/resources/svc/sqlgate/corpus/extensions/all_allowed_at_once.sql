create extension if not exists btree_gin with schema extensions;
create extension if not exists btree_gist with schema extensions;
create extension if not exists citext with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;
create extension if not exists hstore with schema extensions;
create extension if not exists ltree with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists plpgsql;
create extension if not exists unaccent with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
comment on extension pgcrypto is 'cryptographic functions';
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
alter extension citext set schema extensions;
-- expect: select count(*) from pg_extension where extname in ('btree_gin', 'btree_gist', 'citext', 'fuzzystrmatch', 'hstore', 'ltree', 'pg_trgm', 'pgcrypto', 'unaccent', 'uuid-ossp') => 10
-- expect: select count(*) from pg_available_extensions where name in ('citext', 'hstore', 'postgis') and installed_version is not null => 2
-- expect: select 'A'::extensions.citext = 'a'::citext => true
