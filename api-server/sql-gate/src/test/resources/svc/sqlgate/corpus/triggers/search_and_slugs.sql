create extension if not exists unaccent with schema extensions;
create or replace function public.slugify(value text) returns text language sql immutable strict parallel safe as $$
  with a as (select lower(regexp_replace(value, '[''’]', '', 'g')) as v)
  select trim(both '-' from regexp_replace(v, '[^a-z0-9äöüß]+', '-', 'g')) from a
$$;
create table public.places (id serial primary key, name text not null, slug text unique, doc tsvector);
create function public.places_before() returns trigger language plpgsql set search_path = public, extensions as $$
declare
  base text := slugify(unaccent(new.name));
  candidate text := base;
  n int := 1;
begin
  while exists (select 1 from places where slug = candidate and id <> new.id) loop
    n := n + 1;
    candidate := base || '-' || n;
  end loop;
  new.slug := candidate;
  new.doc := to_tsvector('simple', unaccent(new.name));
  return new;
end $$;
create trigger places_before before insert or update of name on public.places for each row execute function public.places_before();
create trigger doc_update before insert on public.places for each row execute function tsvector_update_trigger(doc, 'pg_catalog.simple', name);
insert into public.places (name) values ('Café Ürsula'), ('Cafe Ursula!'), ('L''Été');
-- expect: select slug from places order by id => [{"slug":"cafe-ursula"},{"slug":"cafe-ursula-2"},{"slug":"lete"}]
-- expect: select count(*) from places where doc @@ to_tsquery('simple', 'cafe') => 2
