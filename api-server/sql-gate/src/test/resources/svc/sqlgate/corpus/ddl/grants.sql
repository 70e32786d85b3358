-- Rights in all their forms
create table secrets (id int primary key, label text, value text);
create table more (like secrets including all);
create sequence seq;
create function shout(t text) returns text language sql immutable as $$ select upper(t) $$;
create procedure clean() language sql as $$ truncate secrets $$;
create type kind as enum ('a');

revoke all on all tables in schema public from anon, authenticated;
revoke all on all sequences in schema public from anon;
revoke execute on all functions in schema public from public, anon;
grant usage on schema public to anon, authenticated, service_role;
grant select (id, label), insert (id, label) on table secrets to anon;
grant select, insert, update, delete on secrets, more to authenticated with grant option;
grant all privileges on all tables in schema public to service_role;
grant usage, select on sequence seq to authenticated;
grant execute on function shout(text) to authenticated;
grant execute on all routines in schema public to service_role;
grant execute on procedure clean() to authenticated;
grant usage on type kind to public;
revoke grant option for delete on more from authenticated;
revoke truncate, references, trigger, maintain on secrets from service_role;
alter default privileges in schema public revoke all on tables from anon;
alter default privileges for role postgres in schema public grant select on tables to anon;
alter default privileges in schema public grant usage, select on sequences to anon, authenticated;
alter default privileges in schema public grant execute on functions to anon;
alter default privileges in schema public grant usage on types to authenticated;
create table later (id int);
insert into secrets values (1, 'a', 'hidden');
-- expect as anon: GET /secrets?select=id,label => 200 [{"id":1,"label":"a"}]
-- expect as anon: GET /secrets?select=value => 401
-- expect as anon: POST /rpc/shout {"t":"x"} => 401
-- expect as user 1: POST /rpc/shout {"t":"x"} => 200 "X"
-- expect: select has_table_privilege('anon', 'later', 'select') as s, has_table_privilege('anon', 'public.later', 'insert') as i => [{"s":true,"i":false}]
-- expect: select has_column_privilege('anon', 'secrets', 'value', 'select') as v, has_sequence_privilege('authenticated', 'seq', 'usage') as u => [{"v":false,"u":true}]
