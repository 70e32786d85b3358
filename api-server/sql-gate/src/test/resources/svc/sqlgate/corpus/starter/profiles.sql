-- Create a table for public profiles
create table profiles (
  id uuid references auth.users not null primary key,
  updated_at timestamp with time zone,
  username text unique,
  full_name text,
  avatar_url text,
  website text,

  constraint username_length check (char_length(username) >= 3)
);
-- Set up Row Level Security (RLS)
alter table profiles
  enable row level security;

create policy "Public profiles are viewable by everyone." on profiles
  for select using (true);

create policy "Users can insert their own profile." on profiles
  for insert with check ((select auth.uid()) = id);

create policy "Users can update own profile." on profiles
  for update using ((select auth.uid()) = id);

-- A row for everyone who signs up
create function public.handle_new_user()
returns trigger
set search_path = ''
as $$
begin
  insert into public.profiles (id, full_name, avatar_url)
  values (new.id, new.raw_user_meta_data->>'full_name', new.raw_user_meta_data->>'avatar_url');
  return new;
end;
$$ language plpgsql security definer;
create trigger on_auth_user_created
  after insert on auth.users
  for each row execute procedure public.handle_new_user();

-- Avatars
insert into storage.buckets (id, name)
  values ('avatars', 'avatars');

create policy "Avatar images are publicly accessible." on storage.objects
  for select using (bucket_id = 'avatars');

create policy "Anyone can upload an avatar." on storage.objects
  for insert with check (bucket_id = 'avatars');
-- sign up 1 ada@example.com {"full_name": "Ada Lovelace", "avatar_url": "https://a.example/ada.png"}
-- expect as anon: GET /profiles?select=full_name,avatar_url => 200
--     [{"full_name":"Ada Lovelace","avatar_url":"https://a.example/ada.png"}]
-- expect as user 1: PATCH /profiles?id=eq.00000000-0000-4000-8000-000000000001&select=username {"username":"ada"} => 200
--     [{"username":"ada"}]
-- expect as anon: PATCH /profiles?username=eq.ada {"username":"eve"} => 200 []
-- expect as user 1: PATCH /profiles?username=eq.ada {"username":"ab"} => 400
-- expect: select id, public from storage.buckets => [{"id":"avatars","public":false}]
-- expect: select count(*) from pg_policies where schemaname = 'storage' and tablename = 'objects' and policyname like 'A%' => 2
