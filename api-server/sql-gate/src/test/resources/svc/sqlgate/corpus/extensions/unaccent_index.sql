create extension if not exists unaccent;
create extension if not exists pg_trgm;
-- unaccent is only STABLE: the usual wrapper for an index
create or replace function public.immutable_unaccent(text) returns text language sql immutable parallel safe strict
as $$ select extensions.unaccent('extensions.unaccent', $1) $$;
create table people (id serial primary key, name text not null);
create index people_name_search on people using gin (public.immutable_unaccent(lower(name)) extensions.gin_trgm_ops);
insert into people (name) values ('José Núñez'), ('Zoë'), ('Łukasz');
create function search_people(q text) returns setof people language sql stable as $$
  select * from people where immutable_unaccent(lower(name)) like '%' || immutable_unaccent(lower(q)) || '%' order by id
$$;
-- expect: select name from search_people('nunez') => "José Núñez"
-- expect: select name from search_people('ZOE') => "Zoë"
-- expect: select count(*) from pg_indexes where indexname = 'people_name_search' => 1
