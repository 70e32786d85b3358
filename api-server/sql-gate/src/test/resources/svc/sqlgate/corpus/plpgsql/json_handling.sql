-- JSON in functions: documents to rows and back, patches, paths, validation, webhooks
create type public.channel as enum ('mail', 'sms', 'push');
create type contact as (kind public.channel, address text);
create table profiles (id int primary key, doc jsonb not null default '{}', prefs jsonb not null default '{"mail": true}');
insert into profiles values (1, '{"name": "Ada", "langs": ["en", "fr"], "address": {"city": "London"}}', default), (2, '{"name": "Bob"}', '{}');

create function get_path(p_id int, p_path text) returns jsonb language plpgsql stable as $$
declare v_doc profiles.doc%type; v_prefs profiles.prefs%type;
begin
  select doc, prefs into v_doc, v_prefs from profiles where id = p_id;
  return coalesce(v_doc #> string_to_array(p_path, '.'), v_prefs #> string_to_array(p_path, '.'));
end $$;

create function patch(p_id int, p_changes jsonb) returns profiles.doc%type language plpgsql as $$
declare k text; v jsonb; v_doc profiles.doc%type;
begin
  for k, v in select key, value from jsonb_each(p_changes) loop
    if v = 'null' then
      update profiles set doc = doc - k where id = p_id returning doc into v_doc;
    else
      update profiles set doc = jsonb_set(doc, array[k], v) where id = p_id returning doc into v_doc;
    end if;
  end loop;
  return v_doc;
end $$;

create function contacts(p jsonb) returns setof contact language plpgsql immutable as $$
declare c contact;
begin
  for c in select (e ->> 'kind')::channel, e ->> 'address' from jsonb_array_elements(p) e loop
    if c.address is not null then return next c; end if;
  end loop;
end $$;

create function to_contacts(p jsonb) returns contact[] language plpgsql immutable as $$
declare all_ contact[]; first_ contact;
begin
  select array_agg(c) into all_ from contacts(p) c;
  first_ := all_[1];
  first_.address := upper(first_.address);
  all_[1] := first_;
  return all_;
end $$;

create function enabled_channels(p_prefs jsonb) returns channel[] language plpgsql immutable as $$
declare c channel; found_ channel[] := '{}';
begin
  foreach c in array enum_range(null::channel) loop
    if (p_prefs ->> c::text)::boolean is true then found_ := found_ || c; end if;
  end loop;
  return found_;
end $$;

create function validate(p jsonb, out ok boolean, out errors text[]) language plpgsql immutable as $$
declare required constant text[] := '{name,email}'; field text;
begin
  errors := '{}';
  foreach field in array required loop
    if not p ? field then errors := errors || (field || ' is missing'); end if;
  end loop;
  if jsonb_typeof(p -> 'age') is distinct from 'number' and p ? 'age' then errors := errors || 'age is no number'::text; end if;
  ok := cardinality(errors) = 0;
end $$;

create function depth(p jsonb) returns int language plpgsql immutable as $$
declare deepest int := 0; v jsonb;
begin
  if jsonb_typeof(p) = 'object' then
    for v in select value from jsonb_each(p) loop deepest := greatest(deepest, depth(v)); end loop;
    return deepest + 1;
  elsif jsonb_typeof(p) = 'array' then
    for v in select * from jsonb_array_elements(p) loop deepest := greatest(deepest, depth(v)); end loop;
    return deepest + 1;
  end if;
  return 0;
end $$;

create function merge_deep(a jsonb, b jsonb) returns jsonb language plpgsql immutable as $$
declare k text; v jsonb; merged jsonb := a;
begin
  if jsonb_typeof(a) <> 'object' or jsonb_typeof(b) <> 'object' then return b; end if;
  for k, v in select * from jsonb_each(b) loop
    merged[k] := case when merged ? k then merge_deep(merged -> k, v) else v end;
  end loop;
  return merged;
end $$;

create function bulk_upsert(p jsonb) returns table (id int, inserted boolean) language plpgsql as $$
declare item profiles; is_new boolean;
begin
  for item in select * from jsonb_populate_recordset(null::profiles, p) loop
    is_new := not exists (select 1 from profiles q where q.id = item.id);
    insert into profiles as q values (item.id, coalesce(item.doc, '{}'), coalesce(item.prefs, '{}'))
    on conflict on constraint profiles_pkey do update set doc = excluded.doc
    returning q.id, is_new into id, inserted;
    return next;
  end loop;
end $$;

create function handle_webhook(p jsonb) returns text language plpgsql as $$
declare v_type text; v_object jsonb; v_id profiles.id%type; v_name text;
begin
  select p ->> 'type', p -> 'data' -> 'object' into v_type, v_object;
  case v_type
    when 'customer.updated', 'customer.created' then
      select (v_object ->> 'id')::int, v_object ->> 'name' into strict v_id, v_name;
      update profiles set doc = doc || jsonb_build_object('name', v_name) where id = v_id;
      return format('%s is %s', v_id, v_name);
    when 'ping' then return 'pong';
    else return 'ignored ' || coalesce(v_type, 'nothing');
  end case;
end $$;

create function build_report() returns json language plpgsql stable as $$
declare report jsonb := '[]'; r record; n channel[];
begin
  for r in select id, doc, prefs from profiles order by id loop
    n := enabled_channels(r.prefs);
    report := report || jsonb_build_object('id', r.id, 'name', r.doc ->> 'name', 'channels', to_jsonb(n));
  end loop;
  return report;
end $$;

create function subscripts() returns jsonb language plpgsql immutable as $$
declare d jsonb := '{}'; list jsonb := '[]';
begin
  d['a'] := '1';
  d['b']['c'] := '"deep"';
  list[2] := 'true';
  d['list'] := list;
  return d;
end $$;
-- expect: select get_path(1, 'address.city') a, get_path(1, 'mail') b, get_path(2, 'x') c => [{"a": "London", "b": true, "c": null}]
-- expect: select patch(1, '{"langs": null, "age": 36}') => {"name": "Ada", "age": 36, "address": {"city": "London"}}
-- expect: select kind, address from contacts('[{"kind": "mail", "address": "a@b"}, {"kind": "sms"}]') => [{"kind": "mail", "address": "a@b"}]
-- expect: select to_contacts('[{"kind": "push", "address": "x"}]') a, enabled_channels('{"sms": true, "mail": false}') b => [{"a": [{"kind": "push", "address": "X"}], "b": ["sms"]}]
-- expect: select * from validate('{"name": "x", "age": "y"}') => [{"ok": false, "errors": ["email is missing", "age is no number"]}]
-- expect: select depth('{"a": [1, {"b": 2}]}') a, merge_deep('{"a": {"b": 1}, "c": 2}', '{"a": {"d": 3}}') b, subscripts() c => [{"a": 3, "b": {"a": {"b": 1, "d": 3}, "c": 2}, "c": {"a": 1, "b": {"c": "deep"}, "list": [null, null, true]}}]
-- expect: select * from bulk_upsert('[{"id": 2, "doc": {"name": "Bea"}}, {"id": 3, "prefs": {"push": true}}]') => [{"id": 2, "inserted": false}, {"id": 3, "inserted": true}]
-- expect: select handle_webhook('{"type": "customer.updated", "data": {"object": {"id": 3, "name": "Cyd"}}}') a, handle_webhook('{"type": "ping"}') b, handle_webhook('{}') c => [{"a": "3 is Cyd", "b": "pong", "c": "ignored nothing"}]
-- expect: select build_report() => [{"build_report": [{"id": 1, "name": "Ada", "channels": ["mail"]}, {"id": 2, "name": "Bea", "channels": []}, {"id": 3, "name": "Cyd", "channels": ["push"]}]}]
