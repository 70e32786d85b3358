create table public."table" ("order" int, "group" text, "user" uuid, "from" date, "public" text, "auth" text, primary key ("order"));
create table "public"."public" (public int, auth text, storage text);
create table public.name (name text, type text, value int, key text, role text default 'anon', owner text default 'postgres');
insert into "table" ("order", "public", "auth") values (1, 'authenticated', 'anon');
insert into public.public (public, auth) values (1, 'auth.users');
insert into name (name, type, value, key) values ('n', 't', 1, 'k');
create view public.auth as select public.public, public.auth from public.public;
create function public.storage(public int) returns int language sql as 'select public + 1';
create policy authenticated on public.name to authenticated using (role = 'anon');
alter table public.name enable row level security;
-- expect: select public."public", auth from public where public.auth = 'auth.users' => [{"public":1,"auth":"auth.users"}]
-- expect: select anon.public, anon."auth" from "table" as anon where anon."order" = 1 => [{"public":"authenticated","auth":"anon"}]
-- expect: select storage(public => 1) => 2
-- expect: select public.storage(1), public.auth.public from public.auth => [{"storage":2,"public":1}]
-- expect as user 1: GET /name?select=name,role,owner => 200 [{"name":"n","role":"anon","owner":"postgres"}]
-- expect as anon: GET /name => 200 []
