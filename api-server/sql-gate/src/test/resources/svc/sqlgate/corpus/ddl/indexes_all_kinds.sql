create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin schema extensions;
create table docs (
  id int primary key, title text, body text, tags text[], data jsonb, span int4range, place point, ip inet,
  flag boolean, made timestamptz default now()
);
create index on docs (title);
create index if not exists docs_pattern on docs (title text_pattern_ops, made desc nulls last);
create unique index docs_partial on only docs (lower(title)) nulls not distinct where flag;
create index docs_expr on docs ((data ->> 'a'), (length(body)));
create index docs_cover on docs using btree (id) include (title, flag) with (fillfactor = 70, deduplicate_items = off);
create index docs_gin on docs using gin (tags, data jsonb_path_ops) with (fastupdate = off);
create index docs_trgm on docs using gin (title gin_trgm_ops);
create index docs_trgm2 on docs using gist (body extensions.gist_trgm_ops (siglen = 32));
create index docs_fts on docs using gin (to_tsvector('simple', coalesce(title, '') || ' ' || coalesce(body, '')));
create index docs_gist on docs using gist (span);
create index docs_spgist on docs using spgist (place);
create index docs_inet on docs using gist (ip inet_ops);
create index docs_brin on docs using brin (made timestamptz_minmax_multi_ops);
create index docs_hash on docs using hash (ip);
create index docs_btree_gin on docs using gin (id, tags);
create index docs_collate on docs (title collate "C" asc);
alter index docs_gin set (fastupdate = on);
alter index docs_expr alter column 2 set statistics 200;
alter index docs_hash rename to docs_ip_hash;
reindex index docs_trgm;
reindex table docs;
drop index if exists docs_brin, docs_missing;
insert into docs (id, title, tags, data, flag) values (1, 'PostgreSQL', '{db}', '{"a": 1}', true), (2, 'postgrest', '{api}', '{"a": 2}', false);
-- expect: select count(*) from pg_indexes where schemaname = 'public' and tablename = 'docs' => 16
-- expect: select id from docs where title % 'postgresq' => [{"id":1},{"id":2}]
-- expect: insert into docs (id, title, flag) values (3, 'POSTGRESQL', true) => error 23505
-- expect as anon: GET /docs?title=ilike.*grest*&select=id => 200 [{"id":2}]
