-- What a row was at any time
create extension if not exists btree_gist;
create table prices (sku text primary key, price numeric not null, valid_from timestamptz not null default '2024-01-01');
create table prices_history (like prices);
alter table prices_history add column valid_to timestamptz not null;
create function keep_history() returns trigger language plpgsql as $$
begin
  insert into prices_history select old.*, new.valid_from;
  return new;
end $$;
create trigger keep_history before update on prices for each row when (old.valid_from < new.valid_from) execute function keep_history();
create view prices_all as
  select sku, price, tstzrange(valid_from, null) as during from prices
  union all select sku, price, tstzrange(valid_from, valid_to) from prices_history;
create function price_at(p_sku text, p_at timestamptz) returns numeric language sql stable as $$ select price from prices_all where sku = p_sku and during @> p_at $$;
insert into prices values ('a', 1);
update prices set price = 2, valid_from = '2024-06-01';
update prices set price = 3, valid_from = '2025-01-01';
-- expect: select price_at('a', '2024-03-01') as x, price_at('a', '2024-06-01') as y, price_at('a', '2025-05-05') as z, price_at('a', '2020-01-01') as n => [{"x":1,"y":2,"z":3,"n":null}]
-- expect: select count(*) from prices_history => 2
