create table forums (id int primary key, threads int not null default 0, posts int not null default 0, last_post timestamptz);
create table threads (id int generated always as identity primary key, forum_id int not null references forums on delete cascade, posts int not null default 0);
create table posts (id int generated always as identity primary key, thread_id int not null references threads on delete cascade, at timestamptz not null default clock_timestamp());
create function count_threads() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then update forums set threads = threads - 1 where id = old.forum_id; end if;
  if tg_op <> 'DELETE' then update forums set threads = threads + 1 where id = new.forum_id; end if;
  return null;
end $$;
create function count_posts() returns trigger language plpgsql as $$
declare f int;
begin
  update threads set posts = posts + (case tg_op when 'INSERT' then 1 else -1 end)
  where id = (case tg_op when 'INSERT' then new.thread_id else old.thread_id end) returning forum_id into f;
  update forums set posts = (select sum(t.posts) from threads t where t.forum_id = f), last_post = now() where id = f;
  return null;
end $$;
create trigger t after insert or delete or update of forum_id on threads for each row execute function count_threads();
create trigger p after insert or delete on posts for each row execute function count_posts();
insert into forums (id) values (1), (2);
insert into threads (forum_id) values (1), (1), (2);
insert into posts (thread_id) values (1), (1), (2), (3);
delete from posts where id = 1;
update threads set forum_id = 2 where id = 2;
-- expect: select id, threads, posts from forums order by id => [{"id":1,"threads":1,"posts":2},{"id":2,"threads":2,"posts":1}]
-- expect: select posts from threads order by id => [{"posts":1},{"posts":1},{"posts":1}]
-- expect as service: POST /posts?select=thread_id {"thread_id":3} => 201 [{"thread_id":3}]
-- expect: select posts from forums where id = 2 => 3
