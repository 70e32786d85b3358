create table staff (id int primary key, name text not null, salary int, dept text default 'it', secret text);
insert into staff values (1, 'Ada', 10, 'it', 's'), (2, 'Bob', 20, 'hr', 's');
alter table staff enable row level security;
create policy nobody on staff for select using (dept = 'it');

create view staff_public as select id, name from staff;
create view staff_mine with (security_invoker = true, security_barrier = true) as select id, name from staff where salary > 5;
create or replace view staff_public as select id, name, dept from staff;
create view it_only as select * from staff where dept = 'it' with local check option;
create view it_rich as select * from it_only where salary > 5 with cascaded check option;
create view renamed (a, b) as select id, upper(name) from staff;
create or replace recursive view countdown (n) as values (3) union all select n - 1 from countdown where n > 1;
create view empty_one as select;
create view with_values as values (1, 'x'), (2, 'y');
revoke all on it_only, it_rich from anon;
-- expect as anon: GET /staff_public?select=name,dept&order=id => 200 [{"name":"Ada","dept":"it"},{"name":"Bob","dept":"hr"}]
-- expect as anon: GET /staff_mine => 200 [{"id":1,"name":"Ada"}]
-- expect as anon: GET /it_only => 401
-- expect: insert into it_rich (id, name, salary, dept) values (3, 'Cyd', 30, 'hr') => error 44000
-- expect: insert into it_only (id, name, salary) values (4, 'Dee', 1) returning dept => "it"
-- expect: update renamed set a = 5 where a = 4 returning b => "DEE"
-- expect: select array_agg(n) from countdown => [{"array_agg":[3,2,1]}]
-- expect: select column2 from with_values where column1 = 2 => "y"
