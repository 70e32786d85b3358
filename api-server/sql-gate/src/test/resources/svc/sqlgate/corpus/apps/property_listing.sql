create table listings (
  id uuid primary key default gen_random_uuid(), title text not null, price int4 not null, rooms numeric(3, 1), lat float8, lng float8,
  photos text[] default '{}', features jsonb default '{}', status text not null default 'draft', agent uuid default auth.uid(),
  published tstzrange, constraint status_known check (status in ('draft', 'live', 'sold')),
  constraint live_is_published check (status <> 'live' or published is not null)
);
create table favourites (user_id uuid default auth.uid(), listing_id uuid references listings on delete cascade, primary key (user_id, listing_id));
create index listings_price on listings (price) where status = 'live';
create or replace function distance_km(lat1 float8, lng1 float8, lat2 float8, lng2 float8) returns float8
language sql immutable strict parallel safe as $$
  select 2 * 6371 * asin(sqrt(power(sin(radians(lat2 - lat1) / 2), 2) + cos(radians(lat1)) * cos(radians(lat2)) * power(sin(radians(lng2 - lng1) / 2), 2)))
$$;
create or replace function nearby(lat float8, lng float8, radius_km float8 default 10, min_rooms numeric default 0)
returns table (title text, price int, km numeric) language sql stable as $$
  select l.title, l.price, round(distance_km(nearby.lat, nearby.lng, l.lat, l.lng)::numeric, 1)
  from listings l
  where l.status = 'live' and l.rooms >= min_rooms and distance_km(nearby.lat, nearby.lng, l.lat, l.lng) <= radius_km
  order by 3
$$;
alter table listings enable row level security;
alter table favourites enable row level security;
create policy l on listings for select using (status = 'live' or agent = auth.uid());
create policy l_agent on listings for all to authenticated using (agent = auth.uid());
create policy f on favourites for all to authenticated using (user_id = auth.uid());
insert into listings (title, price, rooms, lat, lng, status, published, agent) values
  ('Mitte', 500000, 2.5, 52.52, 13.405, 'live', '[2024-01-01,)', null), ('Potsdam', 300000, 4, 52.39, 13.06, 'live', '[2024-01-01,)', null), ('Secret', 1, 1, 52.52, 13.4, 'draft', null, null);
-- expect: select title, km from nearby(52.52, 13.4) => [{"title":"Mitte","km":0.3}]
-- expect: select title from nearby(52.52, 13.4, 50, 3) => "Potsdam"
-- expect as anon: GET /listings?price=lt.400000&select=title => 200 [{"title":"Potsdam"}]
-- expect as user 1: POST /listings?select=status {"title":"Mine","price":1} => 201 [{"status":"draft"}]
-- expect as user 1: PATCH /listings?title=eq.Mine {"status":"live"} => 400
-- expect as user 2: GET /listings?title=eq.Mine => 200 []
