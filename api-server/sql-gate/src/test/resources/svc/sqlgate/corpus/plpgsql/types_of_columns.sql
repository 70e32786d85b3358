-- %TYPE and %ROWTYPE of tables, views, columns and variables, also in schemas, arrays, parameters and results
create extension if not exists hstore with schema extensions;
create extension if not exists citext with schema extensions;
create type public.visibility as enum ('private', 'team', 'public');
create table public.documents (
  id uuid primary key default gen_random_uuid(), title citext not null, visibility public.visibility not null default 'private',
  tags citext[] not null default '{}', attributes hstore not null default '', size_range int4range, revisions visibility[]);
create view visible_documents as select id, title, visibility from public.documents where visibility <> 'private';
insert into documents (id, title, visibility, tags, attributes, size_range) values
  ('00000000-0000-4000-8000-000000000001', 'Plan', 'team', '{A,b}', 'k=>v', '[1,5)'),
  ('00000000-0000-4000-8000-000000000002', 'Diary', 'private', '{}', '', null);

create function title_of(p_id public.documents.id%type) returns public.documents.title%type language plpgsql stable as $$
declare v_title public.documents.title%type; v_visibility documents.visibility%type; copy v_title%type;
begin
  select title, visibility into v_title, v_visibility from documents where id = p_id;
  copy := v_title;
  return copy;
end $$;

create function from_view(p_title citext) returns visible_documents.visibility%type language plpgsql stable as $$
declare d visible_documents%rowtype; v visible_documents;
begin
  select * into d from visible_documents where title = p_title;
  select d.id, d.title into v.id, v.title;
  return d.visibility;
end $$;

create function has_tag(p_id documents.id%type, p_tag citext) returns boolean language plpgsql stable as $$
declare v_tags documents.tags%type; t citext; n int := 0;
begin
  select tags, cardinality(tags) into v_tags, n from documents where id = p_id;
  foreach t in array v_tags loop
    if t = p_tag then return true; end if;
  end loop;
  return false;
end $$;

create function attribute(p_id uuid, p_key text, out val text, out all_ hstore, out n int) language plpgsql stable as $$
begin
  select attributes -> p_key, attributes, array_length(akeys(attributes), 1) into val, all_, n from documents where id = p_id;
end $$;

create function in_range(p_n int) returns setof citext language plpgsql stable as $$
declare r documents.size_range%type; t documents.title%type;
begin
  for t, r in select title, size_range from documents where size_range @> p_n loop
    if not isempty(r) then return next t; end if;
  end loop;
end $$;

create function revise(p_title citext, p_to visibility) returns visibility[] language plpgsql as $$
declare before_ visibility; revisions_ documents.revisions%type;
begin
  select visibility, coalesce(revisions, '{}') into before_, revisions_ from documents where title = p_title;
  revisions_[cardinality(revisions_) + 1] := before_;
  update documents set visibility = p_to, revisions = revisions_ where title = p_title returning revisions, visibility into revisions_, before_;
  return revisions_ || before_;
end $$;

create function owner_of_user(p_id auth.users.id%type) returns auth.users.email%type language plpgsql stable security definer set search_path = '' as $$
declare v_email auth.users.email%type; v_id auth.users.id%type;
begin
  select u.email, u.id into v_email, v_id from auth.users u where u.id = p_id;
  return v_email;
end $$;

create function table_like_row() returns documents language plpgsql volatile as $$
declare d documents;
begin
  insert into documents (title, visibility) values ('Made', 'public') returning * into d;
  d.tags[1] := 'first';
  d.attributes := d.attributes || 'n=>1';
  return d;
end $$;

create function array_type_of() returns text language plpgsql stable as $$
declare all_ documents.title%type[]; one documents.title%type; rows_ documents[]; r documents; vis visibility;
begin
  select array_agg(title order by title), array_agg(d order by title) into all_, rows_ from documents d where title in ('plan', 'diary');
  foreach r in array rows_ loop
    vis := r.visibility;
    one := coalesce(one || '+', '') || r.title || left(vis::text, 1);
  end loop;
  return one || cardinality(all_);
end $$;

create function net(p inet, out host text, out bits smallint) language plpgsql immutable as $$
declare i inet; m smallint;
begin
  select p, masklen(p) into i, m;
  host := host(i); bits := m;
end $$;

create function geometry_of(p1 point, p2 point) returns double precision language plpgsql immutable as $$
declare s lseg; d double precision; b box;
begin
  s := lseg(p1, p2);
  select p1 <-> p2, box(p1, p2) into d, b;
  return d + area(b);
end $$;

create function times(p timestamp with time zone, p_zone text default 'Europe/Paris') returns text language plpgsql immutable as $$
declare local timestamp without time zone; i interval day to second; t time(0) without time zone;
begin
  select p at time zone p_zone, '1 day 02:03:04'::interval, (p at time zone p_zone)::time into local, i, t;
  return to_char(local + i, 'YYYY-MM-DD HH24:MI:SS') || ' ' || t;
end $$;

create function words_of_grammar(a character varying(10), b bit varying(4), c national character(3), d dec(5, 2), e real, f "char", g bytea) returns text language plpgsql immutable as $$
declare x character varying(3); y bit varying; z numeric(4, 1)[]; w character(2); v xml; u money;
begin
  select a, b, array[d, e::numeric], c, '<a/>'::xml, 1.5::numeric::money into x, y, z, w, v, u;
  return x || y::text || z[1] || w || v::text || encode(g, 'hex');
exception when string_data_right_truncation then return 'too long';
end $$;
-- expect: select title_of('00000000-0000-4000-8000-000000000001') a, from_view('plan') b, has_tag('00000000-0000-4000-8000-000000000001', 'B') c, (attribute('00000000-0000-4000-8000-000000000001', 'k')).val d => [{"a": "Plan", "b": "team", "c": true, "d": "v"}]
-- expect: select array(select in_range(3)) a, array_type_of() b, owner_of_user(gen_random_uuid()) c => [{"a": ["Plan"], "b": "Diaryp+Plant2", "c": null}]
-- expect: select revise('PLAN', 'public') => [{"revise": ["team", "public"]}]
-- expect: select d.title a, d.tags b, d.attributes -> 'n' c from table_like_row() d => [{"a": "Made", "b": ["first"], "c": "1"}]
-- expect: select (net('10.1.2.3/8')).host a, geometry_of('(0,0)', '(3,4)') b, times('2030-01-01T00:00:00Z') c, words_of_grammar('abc', '101', 'x', 1, 2, 'c', '\x01') d, words_of_grammar('abcdef', '1', 'x', 1, 2, 'c', '') e => [{"a": "10.1.2.3", "b": 17, "c": "2030-01-02 03:03:04 01:00:00", "d": "abc1011.0x<a/>01", "e": "too long"}]
