create table target (id int primary key, v text, n int default 0, seen timestamptz);
create table source (id int, v text, gone boolean default false);
insert into target (id, v) values (1, 'a'), (2, 'b'), (3, 'c');
insert into source values (1, 'A', default), (2, 'x', true), (4, 'D', default), (5, null, default);
merge into target t using source s on t.id = s.id
when matched and s.gone then delete
when matched then update set v = s.v, n = t.n + 1
when not matched by source and t.id = 3 then update set v = 'lost'
when not matched by target and s.v is null then do nothing
when not matched then insert (id, v) values (s.id, s.v)
returning merge_action(), t.id;
merge into target using (values (1, 'final')) as q (id, v) on target.id = q.id
when matched and target.v <> q.v then update set (v, n) = row (q.v, default)
when not matched then insert default values;
-- expect: select id, v, n from target order by id => [{"id":1,"v":"final","n":0},{"id":3,"v":"lost","n":0},{"id":4,"v":"D","n":0}]
-- expect as anon: GET /target?id=eq.4&select=v => 200 [{"v":"D"}]
