create table if not exists countries (code char(2) primary key, name text not null, updated_at timestamptz default now());
create table if not exists settings (key text primary key, value jsonb not null);
with data (code, name) as (values ('DE', 'Germany'), ('FR', 'France'), ('DE', 'Deutschland'))
insert into countries (code, name)
select distinct on (code) code, name from data order by code, name
on conflict (code) do update set name = excluded.name where countries.name is distinct from excluded.name;
insert into settings values ('theme', '"dark"'), ('limits', '{"max": 5}')
on conflict (key) do nothing;
insert into settings
select 'from_json_' || key, value from jsonb_each('{"a": 1, "b": [true, null]}')
on conflict on constraint settings_pkey do update set value = settings.value || excluded.value;
delete from settings where key = 'never' returning *;
-- run again
-- expect: select code, name from countries order by 1 => [{"code":"DE","name":"Deutschland"},{"code":"FR","name":"France"}]
-- expect: select key, value from settings order by key => [{"key":"from_json_a","value":[1,1]},{"key":"from_json_b","value":[true,null,true,null]},{"key":"limits","value":{"max":5}},{"key":"theme","value":"dark"}]
