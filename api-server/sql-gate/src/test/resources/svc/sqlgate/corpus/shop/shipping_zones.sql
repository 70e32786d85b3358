-- Composite types and arrays of them
create type address as (street text, city text, zip text, country char(2));
create type weight_step as (up_to_grams int, price numeric);

create table shipping_zones (
  name text primary key,
  countries char(2)[] not null,
  steps weight_step[] not null
);
create table customers (id serial primary key, name text, billing address, shipping address[] default '{}');

insert into shipping_zones values
  ('EU', '{DE,FR,IT}', array[(500, 4.9), (2000, 7.5)]::weight_step[]),
  ('World', array['US', 'JP'], array[row(500, 12), row(2000, 25)]::weight_step[]);
insert into customers (name, billing, shipping) values
  ('Ada', row('Main 1', 'Berlin', '10115', 'DE'), array[('Side 2', 'Paris', '75001', 'FR')::address]);

create function shipping_price(to_country char(2), grams int) returns numeric language sql stable as $$
  select s.price
  from shipping_zones z cross join lateral unnest(z.steps) as s(up_to_grams, price)
  where to_country = any (z.countries) and grams <= s.up_to_grams
  order by s.up_to_grams limit 1
$$;
update customers set billing.city = 'Hamburg', shipping[2] = row('Third 3', 'Rome', '00100', 'IT')::address where id = 1;
-- expect: select shipping_price('DE', 400) as a, shipping_price('JP', 1500) as b, shipping_price('BR', 1) as c => [{"a":4.9,"b":25,"c":null}]
-- expect: select (billing).city, (shipping[2]).country, cardinality(shipping) as n from customers => [{"city":"Hamburg","country":"IT","n":2}]
-- expect: select billing from customers => [{"billing":{"street":"Main 1","city":"Hamburg","zip":"10115","country":"DE"}}]
