-- 0001_init.sql
create table posts (id serial primary key, title text, body text, author text);
insert into posts (title, body, author) values ('One', 'a', 'Ada'), ('Two', 'b', 'Ada'), ('Three', 'c', 'Bob');
-- expect as anon: GET /posts?select=author&id=eq.1 => 200 [{"author":"Ada"}]
-- 0002_authors.sql
create table authors (id serial primary key, name text not null unique);
insert into authors (name) select distinct author from posts order by author;
alter table posts add column author_id int;
update posts p set author_id = a.id from authors a where a.name = p.author;
alter table posts alter column author_id set not null, add constraint posts_author_fk foreign key (author_id) references authors (id);
alter table posts drop column author;
-- expect as anon: GET /posts?select=author&id=eq.1 => 400
-- expect as anon: GET /posts?select=title,authors(name)&id=eq.3 => 200 [{"title":"Three","authors":{"name":"Bob"}}]
-- 0003_slugs.sql
alter table posts add column slug text;
update posts set slug = lower(regexp_replace(title, '\W+', '-', 'g')) || '-' || id where slug is null;
alter table posts alter slug set not null;
create unique index posts_slug on posts (slug);
-- expect as anon: GET /posts?slug=eq.two-2&select=id => 200 [{"id":2}]
-- 0004_rename.sql
alter table posts rename to articles;
alter table articles rename column body to content;
alter sequence posts_id_seq rename to articles_id_seq;
alter index posts_pkey rename to articles_pkey;
create view posts as select id, title, content as body, slug from articles;
-- expect as anon: GET /posts?select=body&id=eq.1 => 200 [{"body":"a"}]
-- 0005_security.sql
alter table articles enable row level security;
create policy "public" on articles for select using (slug <> 'three-3');
alter view posts set (security_invoker = on);
-- expect as anon: GET /posts?select=id&order=id => 200 [{"id":1},{"id":2}]
-- expect: insert into articles (title, content, author_id, slug) values ('Four', 'd', 1, 'four') returning id => 4
