-- Ledgers, order totals, counters, stock, invoices without gaps, running balances
create type public.entry_kind as enum ('debit', 'credit');
create domain money_amount as numeric(12, 2) check (value > 0);
create table ledger_accounts (code text primary key, name text not null, balance numeric(12, 2) not null default 0);
create table entries (id int generated always as identity primary key, batch int not null, account text not null references ledger_accounts, kind entry_kind not null, amount money_amount not null);
create table counters (name text primary key, value bigint not null default 0);
create table products (sku text primary key, price money_amount not null, stock int not null default 0);
create table carts (id int primary key, coupon text, total numeric(12, 2));
create table cart_lines (cart int references carts, sku text references products, quantity int not null check (quantity > 0), primary key (cart, sku));
insert into ledger_accounts (code, name) values ('cash', 'Cash'), ('sales', 'Sales'), ('tax', 'Tax');
insert into products values ('pen', 1.5, 10), ('book', 20, 2);
insert into carts values (1, 'TEN', null), (2, null, null);
insert into cart_lines values (1, 'pen', 4), (1, 'book', 1), (2, 'book', 3);

create function signed(p_kind entry_kind, p_amount money_amount) returns numeric language plpgsql immutable as $$
declare v_sign int;
begin
  v_sign := case p_kind when 'debit' then 1 else -1 end;
  return v_sign * p_amount;
end $$;

create function post(p_batch int, p_lines jsonb) returns int language plpgsql as $$
declare
  v_account ledger_accounts.code%type; v_kind entry_kind; v_amount money_amount;
  v_sum numeric := 0; v_count int := 0; v_balance ledger_accounts.balance%type;
begin
  for v_account, v_kind, v_amount in
    select l ->> 'account', (l ->> 'kind')::entry_kind, (l ->> 'amount')::numeric from jsonb_array_elements(p_lines) l
  loop
    insert into entries (batch, account, kind, amount) values (p_batch, v_account, v_kind, v_amount);
    update ledger_accounts set balance = balance + signed(v_kind, v_amount) where code = v_account returning balance into strict v_balance;
    v_sum := v_sum + signed(v_kind, v_amount);
    v_count := v_count + 1;
  end loop;
  if v_sum <> 0 then raise exception 'batch % is off by %', p_batch, v_sum using errcode = 'P0001'; end if;
  return v_count;
end $$;

create function trial_balance() returns table (code ledger_accounts.code%type, debit numeric, credit numeric) language plpgsql stable as $$
#variable_conflict use_column
declare r record;
begin
  for r in select code, balance from ledger_accounts order by code loop
    code := r.code;
    if r.balance >= 0 then select r.balance, 0 into debit, credit; else select 0, -r.balance into debit, credit; end if;
    return next;
  end loop;
end $$;

create function next_number(p_name counters.name%type) returns counters.value%type language plpgsql as $$
declare v counters.value%type;
begin
  insert into counters values (p_name, 1) on conflict (name) do update set value = counters.value + 1 returning value into v;
  return v;
end $$;

create function invoice_number(p_year int) returns text language plpgsql as $$
begin
  return format('%s-%s', p_year, lpad(next_number('invoice ' || p_year)::text, 4, '0'));
end $$;

create function reserve(p_sku products.sku%type, p_quantity int) returns products.stock%type language plpgsql as $$
declare v_stock products.stock%type; v_price products.price%type;
begin
  select stock, price into v_stock, v_price from products where sku = p_sku for update;
  case
    when v_stock is null then raise exception 'unknown sku %', p_sku using errcode = 'no_data_found';
    when v_stock < p_quantity then raise exception 'only % of %', v_stock, p_sku using errcode = 'check_violation', detail = v_price::text;
    else update products set stock = stock - p_quantity where sku = p_sku returning stock into v_stock;
  end case;
  return v_stock;
end $$;

create function discount(p_coupon text, p_subtotal numeric) returns numeric language plpgsql immutable as $$
begin
  if p_coupon = 'TEN' then return round(p_subtotal * 0.10, 2);
  elsif p_coupon like 'OFF%' then return least(substr(p_coupon, 4)::numeric, p_subtotal);
  end if;
  return 0;
end $$;

create function checkout(p_cart int, out subtotal money_amount, out off numeric, out total money_amount) language plpgsql as $$
declare v_line cart_lines%rowtype; v_coupon carts.coupon%type; v_price money_amount; v_sum numeric := 0;
begin
  select coupon into v_coupon from carts where id = p_cart;
  for v_line in select * from cart_lines where cart = p_cart order by sku loop
    perform reserve(v_line.sku, v_line.quantity);
    select price into v_price from products where sku = v_line.sku;
    v_sum := v_sum + v_price * v_line.quantity;
  end loop;
  subtotal := v_sum;
  off := discount(v_coupon, subtotal);
  update carts c set total = subtotal - off where c.id = p_cart returning c.total into total;
end $$;

create function try_checkout(p_cart int) returns text language plpgsql as $$
declare v_total money_amount; v_off numeric; v_detail text;
begin
  select c.total, c.off into v_total, v_off from checkout(p_cart) c;
  return v_total::text;
exception when check_violation then
  get stacked diagnostics v_detail = pg_exception_detail;
  return sqlerrm || ' at ' || v_detail;
end $$;

create function running(p_amounts numeric[]) returns setof numeric language plpgsql immutable as $$
declare a numeric; s numeric := 0;
begin
  foreach a in array p_amounts loop
    s := s + a;
    return next s;
  end loop;
end $$;

create function split_evenly(p_total money_amount, p_parts int) returns money_amount[] language plpgsql immutable as $$
declare share money_amount := trunc(p_total / p_parts, 2); parts money_amount[]; rest numeric;
begin
  parts := array_fill(share, array[p_parts]);
  rest := p_total - share * p_parts;
  for i in 1..p_parts loop
    exit when rest <= 0;
    parts[i] := parts[i] + 0.01;
    rest := rest - 0.01;
  end loop;
  return parts;
end $$;

create function interest(p_principal numeric, p_rate numeric, p_years int) returns numeric language plpgsql immutable as $$
declare v numeric := p_principal; year int := 0;
begin
  while year < p_years loop
    v := v * (1 + p_rate / 100);
    year := year + 1;
  end loop;
  return round(v, 2);
end $$;
-- expect: select post(1, '[{"account": "cash", "kind": "debit", "amount": 12}, {"account": "sales", "kind": "credit", "amount": 10}, {"account": "tax", "kind": "credit", "amount": 2}]') => 3
-- expect: select post(2, '[{"account": "cash", "kind": "debit", "amount": 1}]') => error P0001
-- expect: select * from trial_balance() => [{"code": "cash", "debit": 12.00, "credit": 0}, {"code": "sales", "debit": 0, "credit": 10.00}, {"code": "tax", "debit": 0, "credit": 2.00}]
-- expect: select invoice_number(2030) a, invoice_number(2030) b, invoice_number(2031) c => [{"a": "2030-0001", "b": "2030-0002", "c": "2031-0001"}]
-- expect: select * from checkout(1) => [{"subtotal": 26.00, "off": 2.60, "total": 23.40}]
-- expect: select try_checkout(2) a, discount('OFF5', 3) b, reserve('pen', 1) c => [{"a": "only 1 of book at 20.00", "b": 3, "c": 5}]
-- expect: select array(select running('{1,2,3.5}')) a, split_evenly(10, 3) b, interest(100, 5, 2) c => [{"a": [1, 3, 6.5], "b": [3.34, 3.33, 3.33], "c": 110.25}]
