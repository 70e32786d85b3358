-- Price history kept by a trigger that compares whole rows
create table product (id int primary key, name text, price numeric(8,2) not null);
create table price_history (
  product_id int references product on delete cascade,
  old_price numeric, new_price numeric, changed_by text default current_user,
  changed_at timestamptz default now()
);
create or replace function log_price() returns trigger language plpgsql as $$
begin
  insert into price_history (product_id, old_price, new_price) values (new.id, old.price, new.price);
  return new;
end $$;
create trigger log_price
  after update of price on product
  for each row
  when (old.price is distinct from new.price)
  execute function log_price();

insert into product values (1, 'pen', 1.00), (2, 'ink', 3.50);
update product set price = price * 1.10;
update product set price = price, name = upper(name);
-- expect: select product_id, old_price, new_price from price_history order by 1 => [{"product_id":1,"old_price":1.00,"new_price":1.10},{"product_id":2,"old_price":3.50,"new_price":3.85}]
-- expect: select bool_and(changed_by = current_user) from price_history => true
-- expect as service: PATCH /product?id=eq.1&select=price {"price":9} => 200 [{"price":9.00}]
-- expect: select count(*) from price_history => 3
