create table public.users (
  id uuid primary key references auth.users on delete cascade,
  handle text unique not null,
  follower_count int not null default 0,
  following_count int not null default 0
);
create table public.follows (
  follower uuid not null references public.users on delete cascade,
  followee uuid not null references public.users on delete cascade,
  since timestamptz not null default now(),
  constraint follows_pkey primary key (follower, followee),
  constraint no_narcissism check (follower <> followee)
);
create table public.posts (
  id uuid primary key default gen_random_uuid(),
  author uuid not null default auth.uid() references public.users on delete cascade,
  content text not null check (length(content) <= 280),
  created_at timestamptz not null default now()
);

create function public.count_follows() returns trigger language plpgsql security definer set search_path = public as $$
begin
  case tg_op
    when 'INSERT' then
      update users set following_count = following_count + 1 where id = new.follower;
      update users set follower_count = follower_count + 1 where id = new.followee;
    when 'DELETE' then
      update users set following_count = following_count - 1 where id = old.follower;
      update users set follower_count = follower_count - 1 where id = old.followee;
  end case;
  return null;
end; $$;
create trigger count_follows after insert or delete on public.follows
  for each row execute function public.count_follows();

create function public.feed(page_size int default 20, before timestamptz default 'infinity')
returns setof public.posts language sql stable as $$
  select p.* from public.posts p
  where p.created_at < before
    and (p.author = auth.uid() or exists (
      select 1 from public.follows f where f.follower = auth.uid() and f.followee = p.author))
  order by p.created_at desc
  limit least(page_size, 100)
$$;

alter table public.users enable row level security;
alter table public.follows enable row level security;
alter table public.posts enable row level security;
create policy u on public.users for select using (true);
create policy f on public.follows for select using (true);
create policy f2 on public.follows for insert with check (follower = auth.uid());
create policy f3 on public.follows for delete using (follower = auth.uid());
create policy p on public.posts for select using (true);
create policy p2 on public.posts for insert with check (author = auth.uid());
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
insert into users (id, handle) select id, split_part(email, '@', 1) from auth.users;
-- expect as user 2: POST /posts?select=content {"content":"hello"} => 201 [{"content":"hello"}]
-- expect as user 1: POST /rpc/feed {} => 200 []
-- expect as user 1: POST /follows?select=follower {"follower":"00000000-0000-4000-8000-000000000001","followee":"00000000-0000-4000-8000-000000000002"} => 201
-- expect as user 1: POST /rpc/feed?select=content,users(handle,follower_count) {} => 200 [{"content":"hello","users":{"handle":"bob","follower_count":1}}]
-- expect as user 2: POST /follows {"follower":"00000000-0000-4000-8000-000000000001","followee":"00000000-0000-4000-8000-000000000002"} => 403
-- delete user 2
-- expect: select handle, following_count from users => [{"handle":"ada","following_count":0}]
