-- The agent starts over each time
drop view if exists public.summary;
drop table if exists public.order_lines cascade;
drop table if exists public.order_heads cascade;
drop type if exists public.line_kind;
drop function if exists public.total_of(uuid);
create type public.line_kind as enum ('item', 'discount');
create table public.order_heads (id uuid primary key default gen_random_uuid(), no int generated always as identity unique);
create table public.order_lines (order_id uuid references public.order_heads on delete cascade, kind public.line_kind default 'item', amount numeric);
create function public.total_of(uuid) returns numeric language sql stable as $$ select coalesce(sum(amount), 0) from public.order_lines where order_id = $1 $$;
create view public.summary as select no, public.total_of(id) as total from public.order_heads;
insert into public.order_heads default values;
insert into public.order_lines select id, 'discount', -5 from public.order_heads;
-- run again
-- expect as anon: GET /summary => 200 [{"no":1,"total":-5}]
