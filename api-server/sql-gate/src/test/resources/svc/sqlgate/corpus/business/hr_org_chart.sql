create table employees (
  id int primary key,
  name text not null,
  manager_id int references employees deferrable initially deferred,
  salary numeric not null,
  hired date not null default '2020-01-01'
);
insert into employees (id, name, manager_id, salary) values
  (4, 'Dee', 2, 60), (5, 'Eli', 2, 65), (2, 'Bob', 1, 90), (3, 'Cyd', 1, 95), (1, 'Ada', null, 150);

create recursive view org_chart (id, name, level, line) as
  select id, name, 1, name::text from employees where manager_id is null
  union all
  select e.id, e.name, o.level + 1, o.line || ' > ' || e.name from employees e join org_chart o on o.id = e.manager_id;

create view salary_ranks as
select name, salary,
       rank() over w as rank,
       lag(name) over w as above,
       round((percent_rank() over w)::numeric, 2) as percentile,
       sum(salary) over (order by salary desc rows between unbounded preceding and current row) as running,
       first_value(name) over (partition by manager_id order by salary desc) as best_in_team
from employees
window w as (order by salary desc);
-- expect: select line from org_chart where name = 'Eli' => "Ada > Bob > Eli"
-- expect: select max(level) from org_chart => 3
-- expect: select name, rank, above, running, best_in_team from salary_ranks where rank <= 2 order by rank => [
--     {"name":"Ada","rank":1,"above":null,"running":150,"best_in_team":"Ada"},{"name":"Cyd","rank":2,"above":"Ada","running":245,"best_in_team":"Cyd"}]
-- expect: select name from employees e where salary > (select avg(salary) from employees where manager_id is not distinct from e.manager_id) order by 1 => [{"name":"Cyd"},{"name":"Eli"}]
-- expect: insert into employees values (9, 'Zed', 77, 1) => error 23503
