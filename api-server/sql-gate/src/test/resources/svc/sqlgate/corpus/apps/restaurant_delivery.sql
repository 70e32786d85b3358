create type order_state as enum ('placed', 'accepted', 'cooking', 'on_the_way', 'delivered', 'cancelled');
create table allowed_moves (was order_state, becomes order_state, primary key (was, becomes));
insert into allowed_moves values ('placed', 'accepted'), ('placed', 'cancelled'), ('accepted', 'cooking'), ('cooking', 'on_the_way'), ('on_the_way', 'delivered');
create table restaurants (id int primary key, name text, owner uuid);
create table menu_items (id int primary key, restaurant_id int references restaurants on delete cascade, name text, price numeric(6, 2) not null, available boolean default true);
create table food_orders (id int generated always as identity primary key, restaurant_id int not null references restaurants, customer uuid not null default auth.uid(), state order_state not null default 'placed', history jsonb not null default '[]');
create table food_order_items (order_id int references food_orders on delete cascade, item_id int references menu_items, quantity int not null default 1, price numeric(6, 2), primary key (order_id, item_id));
create function freeze_price() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select m.price into new.price from menu_items m where m.id = new.item_id and m.available;
  if not found then raise exception 'not available' using errcode = '23514'; end if;
  return new;
end $$;
create trigger freeze_price before insert on food_order_items for each row execute function freeze_price();
create function check_move() returns trigger language plpgsql as $$
begin
  if not exists (select from allowed_moves where was = old.state and becomes = new.state) then
    raise exception 'an order that is % cannot become %', old.state, new.state using errcode = '23514';
  end if;
  new.history := old.history || jsonb_build_array(old.state);
  return new;
end $$;
create trigger check_move before update of state on food_orders for each row when (old.state <> new.state) execute function check_move();
create function order_total(o food_orders) returns numeric language sql stable as $$ select coalesce(sum(quantity * price), 0) from food_order_items where order_id = o.id $$;
alter publication supabase_realtime add table food_orders;
insert into restaurants values (1, 'Trattoria', '00000000-0000-4000-8000-000000000009');
insert into menu_items values (1, 1, 'Pizza', 9.5, true), (2, 1, 'Truffle', 99, false);
insert into food_orders (restaurant_id, customer) values (1, '00000000-0000-4000-8000-000000000001');
insert into food_order_items (order_id, item_id, quantity) values (1, 1, 2);
update menu_items set price = 12 where id = 1;
-- expect: select o.order_total as t from food_orders o => 19.00
-- expect as service: PATCH /food_orders?id=eq.1&select=state {"state":"accepted"} => 200 [{"state":"accepted"}]
-- expect as service: PATCH /food_orders?id=eq.1 {"state":"delivered"} => 400
-- expect: insert into food_order_items (order_id, item_id) values (1, 2) => error 23514
-- expect: select history from food_orders => [{"history":["placed"]}]
