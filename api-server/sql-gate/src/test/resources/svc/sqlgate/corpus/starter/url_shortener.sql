create or replace function public.random_slug(len int default 6) returns text
language plpgsql volatile as $$
declare
  alphabet constant text := 'abcdefghjkmnpqrstuvwxyz23456789';
  result text := '';
begin
  for i in 1..len loop
    result := result || substr(alphabet, 1 + floor(random() * length(alphabet))::int, 1);
  end loop;
  return result;
end $$;

create table public.links (
  slug text primary key default public.random_slug(),
  target text not null check (target ~* '^https?://'),
  clicks bigint not null default 0,
  created_at timestamptz default now(),
  expires_at timestamptz generated always as (null::timestamptz) stored
);
alter table links drop column expires_at;
alter table links add column if not exists expires_at timestamptz;

create or replace function public.follow(p_slug text) returns text
language sql security definer set search_path = public as $$
  update links set clicks = clicks + 1
  where slug = p_slug and (expires_at is null or expires_at > now())
  returning target;
$$;
alter table links enable row level security;
revoke all on function public.follow(text) from public;
grant execute on function public.follow(text) to anon, authenticated;

insert into links (slug, target) values ('pg', 'https://www.postgresql.org/');
insert into links (target) select 'https://example.com/' || i from generate_series(1, 5) i;
-- expect as anon: POST /rpc/follow {"p_slug":"pg"} => 200 "https://www.postgresql.org/"
-- expect as anon: GET /links => 200 []
-- expect: select clicks from links where slug = 'pg' => 1
-- expect: select count(*) from links where length(slug) = 6 => 5
-- expect: insert into links (target) values ('javascript:alert(1)') => error 23514
