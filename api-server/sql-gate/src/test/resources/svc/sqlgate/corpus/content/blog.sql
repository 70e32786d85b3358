-- Blog: authors, posts, tags (many to many), comments
create table authors (id uuid primary key default gen_random_uuid(), name text not null, bio text);
create table posts (
  id bigint primary key generated always as identity,
  author_id uuid not null references authors,
  slug text not null,
  title text not null,
  body text not null default '',
  published_at timestamptz,
  reading_minutes int generated always as (greatest(1, array_length(regexp_split_to_array(body, '\s+'), 1) / 200)) stored
);
create unique index posts_slug on posts (lower(slug));
create index posts_published on posts (published_at desc) where published_at is not null;
create table tags (id smallserial primary key, name text not null unique);
create table post_tags (
  post_id bigint references posts on delete cascade,
  tag_id smallint references tags on delete cascade,
  primary key (post_id, tag_id)
);
create table comments (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts on delete cascade,
  author_name text not null default 'anonymous',
  body text not null
);

alter table posts enable row level security;
alter table comments enable row level security;
create policy "published posts" on posts for select using (published_at <= now());
create policy "comments of visible posts" on comments for select using (exists (select 1 from posts p where p.id = post_id));
create policy "anyone comments" on comments for insert with check (exists (select 1 from posts p where p.id = post_id));

insert into authors (id, name) values ('a0000000-0000-4000-8000-000000000000', 'Ada');
insert into posts (author_id, slug, title, body, published_at) values
  ('a0000000-0000-4000-8000-000000000000', 'Hello', 'Hello', 'Hello world', '2024-01-01'),
  ('a0000000-0000-4000-8000-000000000000', 'draft', 'Draft', repeat('word ', 1000), null);
insert into tags (name) values ('sql'), ('life');
insert into post_tags select p.id, t.id from posts p cross join tags t where p.slug = 'Hello';
-- expect as anon: GET /posts?select=title,authors(name),tags(name)&tags.order=name => 200 [{"title":"Hello","authors":{"name":"Ada"},"tags":[{"name":"life"},{"name":"sql"}]}]
-- expect as anon: POST /comments?select=author_name {"post_id":1,"body":"nice"} => 201 [{"author_name":"anonymous"}]
-- expect as anon: POST /comments {"post_id":2,"body":"nice"} => 401
-- expect: select reading_minutes from posts order by id => [{"reading_minutes":1},{"reading_minutes":5}]
-- expect: insert into posts (author_id, slug, title) select id, 'HELLO', 'x' from authors => error 23505
