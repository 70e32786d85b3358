create table emp (id int primary key, name text, dept int, pay int);
create table dept (id int primary key, name text, budget int);
insert into dept values (1, 'it', 100), (2, 'hr', 50), (3, 'empty', 0);
insert into emp values (1, 'a', 1, 10), (2, 'b', 1, 20), (3, 'c', 2, 30), (4, 'd', null, 40);
update emp set pay = pay + 1 where id = 1;
update only emp e set (name, pay) = (upper(e.name), e.pay * 2) from dept d where d.id = e.dept and d.name = 'hr';
update emp set (name, pay) = (select d.name, d.budget from dept d where d.id = 1) where id = 2 returning *;
update emp set pay = default where id = 4;
delete from dept d using emp e where false;
delete from dept where not exists (select from emp where emp.dept = dept.id) returning name;
with raised as (update emp set pay = pay + 100 where dept = 1 returning id, pay), gone as (delete from emp where pay is null returning id)
select (select count(*) from raised) as raised, (select array_agg(id) from gone) as gone;
truncate only dept;
-- expect: select id, name, pay from emp order by id => [{"id":1,"name":"a","pay":111},{"id":2,"name":"it","pay":200},{"id":3,"name":"C","pay":60}]
-- expect: select count(*) from dept => 0
-- expect: update emp set pay = 0 where id in (1, 2) returning id => [{"id":1},{"id":2}]
