-- No double bookings: exclusion constraint over a range
create extension if not exists btree_gist with schema extensions;

create table public.rooms (id int primary key, name text not null, capacity int not null);
create table public.bookings (
  id bigint generated always as identity primary key,
  room_id int not null references public.rooms on delete cascade,
  user_id uuid not null default auth.uid(),
  during tstzrange not null,
  status text not null default 'confirmed',
  constraint not_empty check (not isempty(during)),
  constraint no_overlap exclude using gist (room_id with =, during with &&) where (status = 'confirmed')
);

create function public.free_rooms(from_time timestamptz, to_time timestamptz) returns setof public.rooms
language sql stable security definer set search_path = public as $$
  select r.* from rooms r
  where not exists (
    select 1 from bookings b
    where b.room_id = r.id and b.status = 'confirmed' and b.during && tstzrange(from_time, to_time))
  order by r.id
$$;

alter table public.bookings enable row level security;
create policy own on public.bookings to authenticated using (user_id = auth.uid()) with check (user_id = auth.uid());

insert into public.rooms values (1, 'Blue', 4), (2, 'Red', 10);
-- expect as user 1: POST /bookings?select=id {"room_id":1,"during":"[2024-05-01 10:00+00,2024-05-01 11:00+00)"} => 201 [{"id":1}]
-- expect as user 2: POST /bookings {"room_id":1,"during":"[2024-05-01 10:30+00,2024-05-01 12:00+00)"} => 400
-- expect as user 2: POST /bookings?select=room_id {"room_id":1,"during":"[2024-05-01 11:00+00,2024-05-01 12:00+00)"} => 201 [{"room_id":1}]
-- expect as anon: POST /rpc/free_rooms?select=name {"from_time":"2024-05-01T10:00:00Z","to_time":"2024-05-01T10:30:00Z"} => 200 [{"name":"Red"}]
-- expect: insert into bookings (room_id, user_id, during) values (2, gen_random_uuid(), 'empty') => error 23514
