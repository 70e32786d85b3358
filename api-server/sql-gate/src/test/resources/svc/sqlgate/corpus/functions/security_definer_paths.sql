-- The search_path idioms that linters ask for
create table public.private_notes (id int primary key, body text);
alter table public.private_notes enable row level security;
insert into public.private_notes values (1, 'hidden');

create function public.f_empty() returns bigint language sql security definer set search_path = '' as 'select count(*) from public.private_notes';
create function public.f_public() returns bigint language sql security definer set search_path = public as 'select count(*) from private_notes';
create function public.f_to() returns bigint language plpgsql security definer set search_path to 'public', 'pg_temp' as $$ begin return (select count(*) from private_notes); end $$;
create function public.f_ext() returns text language sql security definer set search_path = public, extensions, pg_temp as $$ select left(gen_random_uuid()::text, 0) || count(*) from private_notes $$;
create function public.f_catalog() returns bigint language sql security definer set search_path = pg_catalog, public as 'select count(*) from private_notes';
create function public.f_invoker() returns bigint language sql security invoker as 'select count(*) from private_notes';
alter function public.f_invoker() set search_path = public, extensions;
create function public.f_current() returns text language plpgsql set timezone to 'UTC' set work_mem = '4MB' as $$ begin return current_setting('timezone'); end $$;
-- expect as anon: POST /rpc/f_empty {} => 200 1
-- expect as anon: POST /rpc/f_public {} => 200 1
-- expect as anon: POST /rpc/f_to {} => 200 1
-- expect as anon: POST /rpc/f_ext {} => 200 "1"
-- expect as anon: POST /rpc/f_catalog {} => 200 1
-- expect as anon: POST /rpc/f_invoker {} => 200 0
-- expect as anon: POST /rpc/f_current {} => 200 "UTC"
-- expect as anon: GET /private_notes => 200 []
