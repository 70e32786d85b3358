create table t (id int generated always as identity primary key, a int default 7, b text default 'd', c jsonb);
insert into t default values;
insert into t (a) values (1), (default), (3) returning id, a, b;
insert into t (b, a) select 'sel', g from generate_series(10, 12) g where g <> 11;
insert into t overriding system value values (100, 1, 'sys', '{}');
insert into t (id, a) overriding user value values (999, 2);
insert into t as target (a, b) values (5, 'x') on conflict do nothing;
insert into t overriding system value values (100, 0, 'again', null) on conflict (id) do update set b = excluded.b || '!', a = t.a + 1;
with moved as (delete from t where b = 'sel' returning *) insert into t (a, b) select a * 10, 'moved' from moved;
insert into t (c) select to_jsonb(x) from (values (1, 'one'), (2, 'two')) as x (n, word);
-- expect: select a, b from t where id = 100 => [{"a":2,"b":"again!"}]
-- expect: select array_agg(a order by a) from t where b = 'moved' => [{"array_agg":[100,120]}]
-- expect: select c ->> 'word' as w from t where c ? 'word' order by 1 => [{"w":"one"},{"w":"two"}]
-- expect: insert into t (id) values (1) => error 428C9
-- expect: select count(*) from t => 11
