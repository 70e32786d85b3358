create type task_status as enum ('todo', 'doing', 'done');
create table boards (id int generated always as identity primary key, name text not null, owner uuid default auth.uid());
create table lists (id int generated always as identity primary key, board_id int not null references boards on delete cascade, name text, position float8 not null);
create table tasks (
  id int generated always as identity primary key,
  list_id int not null references lists on delete cascade,
  title text not null,
  status task_status not null default 'todo',
  position float8 not null default extract(epoch from clock_timestamp()),
  assignees uuid[] not null default '{}',
  due tstzrange,
  constraint tasks_position_unique unique (list_id, position) deferrable initially immediate
);
create table task_dependencies (task int references tasks, depends_on int references tasks, primary key (task, depends_on));

create function move_between(p_task int, before_task int, after_task int) returns float8 language sql as $$
  update tasks set position = (
    (select position from tasks where id = before_task) + (select position from tasks where id = after_task)) / 2
  where id = p_task returning position
$$;
create function blocked(t tasks) returns boolean language sql stable as $$
  select exists (select 1 from task_dependencies d join tasks o on o.id = d.depends_on where d.task = t.id and o.status <> 'done')
$$;
insert into boards (name, owner) values ('Launch', null);
insert into lists (board_id, name, position) values (1, 'Now', 1);
insert into tasks (list_id, title, position) values (1, 'a', 1), (1, 'b', 2), (1, 'c', 3);
insert into task_dependencies values (2, 1);
-- expect: select move_between(3, 1, 2) => 1.5
-- expect: select title from tasks order by position => [{"title":"a"},{"title":"c"},{"title":"b"}]
-- expect: select title, t.blocked from tasks t order by id => [{"title":"a","blocked":false},{"title":"b","blocked":true},{"title":"c","blocked":false}]
-- expect as anon: GET /tasks?select=title,blocked&id=eq.2 => 200 [{"title":"b","blocked":true}]
-- expect as anon: GET /boards?select=name,lists(name,tasks(title))&lists.tasks.order=position => 200 [{"name":"Launch","lists":[{"name":"Now","tasks":[{"title":"a"},{"title":"c"},{"title":"b"}]}]}]
-- expect: insert into tasks (list_id, title, position) values (1, 'd', 1) => error 23505
