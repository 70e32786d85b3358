-- Recommendations without an extension: float arrays and cosine similarity in SQL
create table embeddings (id int primary key, label text, v float8[] not null check (array_length(v, 1) = 3));
create or replace function cosine(a float8[], b float8[]) returns float8 language sql immutable strict parallel safe as $$
  select sum(x * y) / (sqrt(sum(x * x)) * sqrt(sum(y * y))) from unnest(a, b) as t(x, y)
$$;
create function nearest(q float8[], n int default 1) returns table (label text, score float8) language sql stable as $$
  select label, cosine(v, q) from embeddings order by cosine(v, q) desc nulls last limit n
$$;
insert into embeddings values (1, 'x', '{1,0,0}'), (2, 'y', '{0,1,0}'), (3, 'xy', '{1,1,0}');
-- expect: select label, round(score::numeric, 3) as s from nearest('{1,0.9,0}', 2) => [{"label":"xy","s":0.999},{"label":"x","s":0.743}]
-- expect: insert into embeddings values (4, 'bad', '{1,2}') => error 23514
