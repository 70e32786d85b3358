-- E-commerce: catalog, carts, orders with totals computed in the database
create type order_status as enum ('pending', 'paid', 'shipped', 'cancelled');
create domain money_amount as numeric(10, 2) constraint money_not_negative check (value >= 0);

create table categories (
  id serial primary key,
  parent_id int references categories,
  name text not null,
  unique (parent_id, name)
);
create table products (
  id bigint generated always as identity primary key,
  sku text not null unique,
  name text not null,
  price money_amount not null,
  stock int not null default 0,
  category_id int references categories,
  attributes jsonb not null default '{}',
  constraint stock_not_negative check (stock >= 0)
);
create index products_attributes on products using gin (attributes jsonb_path_ops);
create index products_lower_name on products (lower(name) text_pattern_ops);

create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid default auth.uid(),
  status order_status not null default 'pending',
  created_at timestamptz default now()
);
create table order_items (
  order_id uuid references orders on delete cascade,
  product_id bigint references products on delete restrict,
  quantity int not null check (quantity > 0),
  unit_price money_amount not null,
  line_total numeric generated always as (quantity * unit_price) stored,
  primary key (order_id, product_id)
);

create procedure place_order(in_order uuid, items jsonb)
language plpgsql as $$
declare
  item record;
begin
  insert into orders (id) values (in_order);
  for item in select * from jsonb_to_recordset(items) as x(sku text, quantity int) loop
    update products set stock = stock - item.quantity where sku = item.sku;
    if not found then
      raise exception 'no product %', item.sku using errcode = 'no_data_found';
    end if;
    insert into order_items (order_id, product_id, quantity, unit_price)
    select in_order, id, item.quantity, price from products where sku = item.sku;
  end loop;
end $$;

insert into categories (name) values ('Clothes');
insert into categories (parent_id, name) select id, unnest(array['Shirts', 'Shoes']) from categories where name = 'Clothes';
insert into products (sku, name, price, stock, category_id, attributes)
values ('S-1', 'Blue shirt', 19.90, 10, 2, '{"color": "blue", "sizes": ["S", "M"]}'),
       ('S-2', 'Red shoe', 59.00, 1, 3, '{"color": "red"}');

call place_order('10000000-0000-4000-8000-000000000000', '[{"sku": "S-1", "quantity": 3}, {"sku": "S-2", "quantity": 1}]');
-- expect: select sum(line_total) as total, count(*) from order_items => [{"total":118.70,"count":2}]
-- expect: select sku, stock from products order by sku => [{"sku":"S-1","stock":7},{"sku":"S-2","stock":0}]
-- expect: call place_order('20000000-0000-4000-8000-000000000000', '[{"sku": "S-2", "quantity": 1}]') => error 23514
-- expect: call place_order('20000000-0000-4000-8000-000000000000', '[{"sku": "X", "quantity": 1}]') => error P0002
-- expect: select count(*) from orders => 1
-- expect: with recursive up as (select id, parent_id, name from categories where name = 'Shoes' union all
--     select c.id, c.parent_id, c.name from categories c join up on up.parent_id = c.id)
--     select string_agg(name, ' < ') from up => "Shoes < Clothes"
-- expect as anon: GET /products?attributes->>color=eq.blue&select=sku,color:attributes->>color => 200 [{"sku":"S-1","color":"blue"}]
-- expect as anon: GET /products?attributes=cs.{"color":"red"}&select=sku => 200 [{"sku":"S-2"}]
