-- Trigger functions: NEW and OLD, TG_ variables, audit, counters, slugs, totals, guards
create type public.action as enum ('insert', 'update', 'delete');
create table audit (id bigint generated always as identity primary key, relation name not null, action action not null, old_row jsonb, new_row jsonb, changed text[]);
create table authors (id int primary key, name text not null, posts int not null default 0, slug text unique, updated_at timestamptz not null default now());
create table posts (id int primary key, author int not null references authors on delete cascade, title text not null, slug text, state text not null default 'draft', likes int not null default 0, published_at timestamptz, search tsvector);
create table invoices (id int primary key, total numeric not null default 0, locked boolean not null default false);
create table invoice_lines (invoice int references invoices, n int, amount numeric not null, primary key (invoice, n));

create function write_audit() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_action public.action; v_changed text[]; v_old jsonb; v_new jsonb;
begin
  select lower(tg_op), null::jsonb, null::jsonb into v_action, v_old, v_new;
  if tg_op <> 'INSERT' then v_old := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then v_new := to_jsonb(new); end if;
  if v_action = 'update' then
    select array_agg(n.key order by n.key) into v_changed from jsonb_each(v_new) n where n.value is distinct from v_old -> n.key;
    if v_changed is null then return new; end if;
  end if;
  insert into public.audit (relation, action, old_row, new_row, changed) values (tg_table_name, v_action, v_old, v_new, v_changed);
  return coalesce(new, old);
end $$;

create function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := '2030-01-01'::timestamptz;
  return new;
end $$;

create function count_posts() returns trigger language plpgsql as $$
declare v_before authors.posts%type; v_after authors.posts%type; v_author authors%rowtype;
begin
  if tg_op in ('DELETE', 'UPDATE') then
    update authors set posts = posts - 1 where id = old.author returning posts + 1, posts into v_before, v_after;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    update authors set posts = posts + 1 where id = new.author returning * into v_author;
  end if;
  return null;
end $$;

create function set_slug() returns trigger language plpgsql as $$
declare base text; candidate posts.slug%type; n int := 0;
begin
  base := trim(both '-' from regexp_replace(lower(new.title), '[^a-z0-9]+', '-', 'g'));
  candidate := base;
  loop
    exit when not exists (select 1 from posts p where p.slug = candidate and p.id <> new.id);
    n := n + 1;
    candidate := base || '-' || n;
  end loop;
  new.slug := candidate;
  return new;
end $$;

create function set_search() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector('simple', new.title), 'A') || to_tsvector('simple', new.state);
  return new;
end $$;

create function stamp_publication() returns trigger language plpgsql as $$
begin
  if new.state = 'published' and old.state is distinct from new.state then
    new.published_at = '2030-05-05T00:00:00Z';
  elsif new.state <> 'published' then
    new.published_at = null;
  end if;
  return new;
end $$;

create function refuse_negative() returns trigger language plpgsql as $$
begin
  if new.likes < 0 then
    raise exception 'likes of % would be %', new.id, new.likes using errcode = '23514', column = 'likes', table = tg_table_name;
  end if;
  return new;
end $$;

create function total_of_lines() returns trigger language plpgsql as $$
declare v_id invoices.id%type; v_total invoices.total%type; v_locked invoices.locked%type;
begin
  v_id := coalesce(new.invoice, old.invoice);
  select locked, coalesce((select sum(amount) from invoice_lines l where l.invoice = v_id), 0) into v_locked, v_total from invoices where id = v_id;
  if v_locked then raise exception 'invoice % is locked', v_id using hint = 'open it first'; end if;
  update invoices set total = v_total where id = v_id;
  return null;
end $$;

create function keep_primary_key() returns trigger language plpgsql as $$
begin
  select old.id, coalesce(new.name, old.name) into new.id, new.name;
  return new;
end $$;

create function summary_of_statement() returns trigger language plpgsql as $$
declare v_rows int; v_names text;
begin
  select count(*), string_agg(name, ',' order by id) into v_rows, v_names from added;
  insert into audit (relation, action, new_row) values ('statement of ' || tg_relname, 'insert', jsonb_build_object('rows', v_rows, 'names', v_names, 'args', tg_argv[0]));
  return null;
end $$;

create function write_through_view() returns trigger language plpgsql as $$
declare v_author authors;
begin
  insert into authors (id, name) values (new.id, new.author) returning * into v_author;
  insert into posts (id, author, title) values (new.id, v_author.id, new.title) returning slug into new.slug;
  return new;
end $$;
create view shelf as select p.id, a.name as author, p.title, p.slug from posts p join authors a on a.id = p.author;
create trigger through instead of insert on shelf for each row execute function write_through_view();
create trigger audit_posts after insert or update or delete on posts for each row execute function write_audit();
create trigger touch before update on authors for each row execute function touch();
create trigger keep before update on authors for each row execute function keep_primary_key();
create trigger counted after insert or update of author or delete on posts for each row execute function count_posts();
create trigger slugged before insert or update of title on posts for each row execute function set_slug();
create trigger searched before insert or update on posts for each row execute function set_search();
create trigger stamped before update on posts for each row execute function stamp_publication();
create trigger liked before update of likes on posts for each row execute function refuse_negative();
create trigger totalled after insert or update or delete on invoice_lines for each row execute function total_of_lines();
create trigger summed after insert on authors referencing new table as added for each statement execute function summary_of_statement('once');
insert into authors (id, name) values (1, 'Ada'), (2, 'Bob');
insert into posts (id, author, title) values (1, 1, 'Hello, World'), (2, 1, 'Hello World!');
update posts set state = 'published' where id = 1;
update posts set state = 'published' where id = 1;
update posts set author = 2 where id = 2;
update authors set id = 7, name = null where id = 2;
insert into invoices (id) values (1);
insert into invoice_lines values (1, 1, 10.5), (1, 2, 4);
delete from invoice_lines where n = 2;
insert into shelf (id, author, title) values (5, 'Cyd', 'Dance');
-- expect: select id, slug, state, published_at is not null as published from posts order by id => [{"id": 1, "slug": "hello-world", "state": "published", "published": true}, {"id": 2, "slug": "hello-world-1", "state": "draft", "published": false}, {"id": 5, "slug": "dance", "state": "draft", "published": false}]
-- expect: select array_agg(action || coalesce(':' || array_to_string(changed, ','), '') order by id) a from audit where relation = 'posts' => [{"a": ["insert", "insert", "update:published_at,search,state", "update:author", "insert"]}]
-- expect: select id, name, posts, updated_at from authors where id < 5 order by id => [{"id": 1, "name": "Ada", "posts": 1, "updated_at": "2030-01-01T00:00:00+00:00"}, {"id": 2, "name": "Bob", "posts": 1, "updated_at": "2030-01-01T00:00:00+00:00"}]
-- expect: select total from invoices => 10.5
-- expect: select new_row from audit where relation like 'statement%' order by id limit 1 => {"rows": 2, "names": "Ada,Bob", "args": "once"}
-- expect: select search @@ 'hello'::tsquery from posts where id = 1 => true
-- expect: update posts set likes = -1 where id = 1 => error 23514
