create extension if not exists hstore with schema extensions;
create extension if not exists ltree with schema extensions;
create extension if not exists citext with schema extensions;
create table products (id int primary key, attrs hstore not null default ''::hstore, path ltree, name citext unique);
create index on products using gin (attrs);
create index on products using gist (path gist_ltree_ops(siglen=100));
insert into products values
  (1, 'color=>red, size=>"L"', 'top.clothes.shirts', 'Shirt'), (2, hstore(array['color', 'weight'], array['blue', '3']), 'top.tools', 'Hammer');
update products set attrs = (attrs || hstore('stock', '5')) - 'size'::text where attrs ? 'size';
-- expect: select attrs -> 'stock' as s, attrs ?& array['color', 'size'] as b from products where name = 'SHIRT' => [{"s":"5","b":false}]
-- expect: select id from products where path ~ 'top.*.shirts' => 1
-- expect: select nlevel(path) as n, subltree(path, 1, 2)::text as s from products where id = 2 => [{"n":2,"s":"tools"}]
-- expect: insert into products (id, name) values (3, 'hAMMER') => error 23505
-- expect: select (each(attrs)).key from products where id = 2 order by 1 => [{"key":"color"},{"key":"weight"}]
