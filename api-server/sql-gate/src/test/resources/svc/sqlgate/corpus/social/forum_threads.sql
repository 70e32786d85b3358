-- Forum with nested replies: materialised path in ltree
create extension if not exists ltree schema extensions;

create table public.posts (
  id int primary key generated always as identity,
  parent_id int references public.posts (id) on delete cascade,
  path ltree,
  author text not null,
  body text not null,
  score int not null default 0,
  created_at timestamptz not null default now()
);
create index posts_path_gist on public.posts using gist (path);
create index posts_path_btree on public.posts using btree (path);

create or replace function public.set_path() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then
    new.path := new.id::text::ltree;
  else
    select p.path || new.id::text into strict new.path from public.posts p where p.id = new.parent_id;
  end if;
  return new;
exception
  when no_data_found then
    raise exception 'no post %', new.parent_id using errcode = 'foreign_key_violation';
end $$;
create trigger set_path before insert on public.posts for each row execute function public.set_path();

insert into public.posts (parent_id, author, body) values
  (null, 'ada', 'root'), (1, 'bob', 'child'), (2, 'cyd', 'grandchild'), (null, 'dan', 'other');

create view public.threads as
  select subpath(path, 0, 1)::text as root, count(*) - 1 as replies, max(nlevel(path)) as depth
  from public.posts group by 1;
-- expect: select path::text from posts where path <@ '1.2' order by path => [{"path":"1.2"},{"path":"1.2.3"}]
-- expect as anon: GET /threads?order=root => 200 [{"root":"1","replies":2,"depth":3},{"root":"4","replies":0,"depth":1}]
-- expect: insert into posts (parent_id, author, body) values (99, 'x', 'x') => error 23503
-- expect: delete from posts where id = 2 returning author => "bob"
-- expect: select count(*) from posts => 2
