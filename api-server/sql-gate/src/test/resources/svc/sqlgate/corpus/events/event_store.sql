-- Event sourcing: append-only store with optimistic concurrency, projections by trigger
create schema if not exists public;
create table public.streams (id uuid primary key, type text not null, version int not null default 0);
create table public.events (
  position bigint generated always as identity primary key,
  stream_id uuid not null references public.streams,
  version int not null,
  type text not null,
  data jsonb not null,
  metadata jsonb not null default '{}',
  recorded_at timestamptz not null default now(),
  unique (stream_id, version)
);
create function public.append_event(p_stream uuid, p_stream_type text, p_expected int, p_type text, p_data jsonb)
returns int language plpgsql as $$
declare current_version int;
begin
  insert into public.streams (id, type) values (p_stream, p_stream_type) on conflict (id) do nothing;
  select version into current_version from public.streams where id = p_stream for update;
  if current_version <> p_expected then
    raise exception 'stream is at version %, not %', current_version, p_expected using errcode = '40001';
  end if;
  insert into public.events (stream_id, version, type, data) values (p_stream, p_expected + 1, p_type, p_data);
  update public.streams set version = version + 1 where id = p_stream;
  return p_expected + 1;
end $$;
create function public.events_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'events are final' using errcode = 'restrict_violation';
end $$;
create trigger events_are_final before update or delete or truncate on public.events
  for each statement execute function public.events_are_final();

create table public.balances (account uuid primary key, amount numeric not null default 0);
create function public.project() returns trigger language plpgsql as $$
begin
  insert into public.balances (account, amount)
  values (new.stream_id, (case new.type when 'deposited' then 1 when 'withdrawn' then -1 else 0 end) * (new.data ->> 'amount')::numeric)
  on conflict (account) do update set amount = balances.amount + excluded.amount;
  return null;
end $$;
create trigger project after insert on public.events for each row execute function public.project();

select public.append_event('e0000000-0000-4000-8000-000000000000', 'account', 0, 'deposited', '{"amount": 100}');
select public.append_event('e0000000-0000-4000-8000-000000000000', 'account', 1, 'withdrawn', '{"amount": 30}');
-- expect: select amount from balances => 70
-- expect: select public.append_event('e0000000-0000-4000-8000-000000000000', 'account', 1, 'withdrawn', '{"amount": 1}') => error 40001
-- expect: delete from events => error 23001
-- expect: select count(*) from events => 2
