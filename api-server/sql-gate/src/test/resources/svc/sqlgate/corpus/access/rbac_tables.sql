-- Roles and permissions in tables; policies ask one function
create type public.permission as enum ('posts.read', 'posts.write', 'users.manage');
create table public.roles (name text primary key);
create table public.role_permissions (role text references public.roles on delete cascade on update cascade, permission public.permission, primary key (role, permission));
create table public.user_roles (user_id uuid references auth.users on delete cascade, role text references public.roles on update cascade, primary key (user_id, role));
insert into public.roles values ('editor'), ('reader');
insert into public.role_permissions values ('editor', 'posts.read'), ('editor', 'posts.write'), ('reader', 'posts.read');
create or replace function public.has_permission(p public.permission) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles ur join public.role_permissions rp using (role)
    where ur.user_id = (select auth.uid()) and rp.permission = p)
$$;
create table public.posts (id int generated always as identity primary key, body text not null);
do $$
declare t text;
begin
  foreach t in array array['roles', 'role_permissions', 'user_roles', 'posts'] loop
    execute format('alter table %s enable row level security', t);
  end loop;
end $$;
create policy r on public.posts for select to authenticated using ((select public.has_permission('posts.read')));
create policy w on public.posts for insert to authenticated with check ((select public.has_permission('posts.write')));
create policy ur on public.user_roles for all to authenticated using (public.has_permission('users.manage')) with check (public.has_permission('users.manage'));
-- sign up 1 editor@example.com
-- sign up 2 reader@example.com
insert into public.user_roles values ('00000000-0000-4000-8000-000000000001', 'editor'), ('00000000-0000-4000-8000-000000000002', 'reader');
-- expect as user 1: POST /posts?select=id {"body":"x"} => 201 [{"id":1}]
-- expect as user 2: POST /posts {"body":"y"} => 403
-- expect as user 2: GET /posts?select=body => 200 [{"body":"x"}]
-- expect as user 3: GET /posts => 200 []
-- expect as user 2: POST /user_roles {"user_id":"00000000-0000-4000-8000-000000000002","role":"editor"} => 403
-- expect: update roles set name = 'author' where name = 'editor' returning name => "author"
-- expect as user 1: GET /posts?select=body => 200 [{"body":"x"}]
