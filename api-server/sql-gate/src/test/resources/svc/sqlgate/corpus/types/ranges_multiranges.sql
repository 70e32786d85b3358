create type floatrange as range (subtype = float8, subtype_diff = float8mi);
create extension if not exists btree_gist with schema extensions;
create table price_bands (
  sku text, valid daterange not null, price numeric, temp floatrange,
  exclude using gist (sku with =, valid with &&)
);
create index on price_bands using gist (valid);
insert into price_bands values
  ('a', '[2024-01-01,2024-07-01)', 10, '[1.5,2.5]'), ('a', daterange('2024-07-01', null), 12, null), ('b', '(,)', 5, 'empty');
create view gaps as
select sku, datemultirange(daterange('2023-01-01', '2025-01-01')) - range_agg(valid) as uncovered from price_bands group by sku;
-- expect: select price from price_bands where sku = 'a' and valid @> date '2024-08-15' => 12
-- expect: select sku, uncovered::text from gaps order by 1 => [{"sku":"a","uncovered":"{[2023-01-01,2024-01-01)}"},{"sku":"b","uncovered":"{}"}]
-- expect: select lower(temp) as l, upper_inc(temp) as u, temp * floatrange(2, 9) = '[2,2.5]' as i from price_bands where temp @> 2.0::float8 => [{"l":1.5,"u":true,"i":true}]
-- expect: insert into price_bands values ('a', '[2024-06-30,2024-07-02)') => error 23P01
-- expect as anon: GET /price_bands?valid=cs.[2024-02-01,2024-02-02)&sku=eq.a&select=price => 200 [{"price":10}]
