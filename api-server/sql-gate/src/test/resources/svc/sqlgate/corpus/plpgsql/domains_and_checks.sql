-- Domains: as variables, parameters, results, with checks and defaults
create extension if not exists citext with schema extensions;
create domain public.email as citext check (value ~ '^[^@\s]+@[^@\s]+$');
create domain cents as bigint check (value >= 0);
create domain percent as numeric(5, 2) default 0 check (value between 0 and 100);
create domain slug as text check (value ~ '^[a-z0-9-]+$');
create table accounts (id serial primary key, address email unique not null, balance cents not null default 0, fee percent not null default 2.5);

create function open_account(p_address public.email) returns table (account int, stored email, money cents) language plpgsql as $$
begin
  insert into accounts (address) values (p_address) returning id, address, balance into account, stored, money;
  return next;
end $$;

create function deposit(p_id int, p_amount cents) returns cents language plpgsql as $$
declare v_balance cents; v_fee percent; v_taken public.cents := 0;
begin
  select balance, fee into strict v_balance, v_fee from accounts where id = p_id;
  v_taken := round(p_amount * v_fee / 100);
  update accounts set balance = balance + p_amount - v_taken where id = p_id returning balance, fee into v_balance, v_fee;
  return v_balance;
end $$;

create function withdraw(p_id int, p_amount cents) returns text language plpgsql as $$
declare v_left cents;
begin
  select balance - p_amount into v_left from accounts where id = p_id;
  update accounts set balance = v_left where id = p_id;
  return v_left::text;
exception when check_violation then
  return 'not enough';
end $$;

create function is_email(p text) returns boolean language plpgsql immutable as $$
declare checked email;
begin
  checked := p;
  return true;
exception when check_violation then return false;
end $$;

create function slugify(p_title text) returns slug language plpgsql immutable as $$
declare
  v_slug slug;
  v_raw text := lower(p_title);
begin
  v_raw := regexp_replace(v_raw, '[^a-z0-9]+', '-', 'g');
  v_slug := trim(both '-' from v_raw);
  return v_slug;
end $$;

create function unique_slug(p_title text, p_taken slug[]) returns slug language plpgsql immutable as $$
declare base slug := slugify(p_title); candidate slug := base; n int := 1;
begin
  while candidate = any (p_taken) loop
    n := n + 1;
    candidate := base || '-' || n;
  end loop;
  return candidate;
end $$;

create function share(p_total cents, p_parts int, out each cents, out rest cents) language plpgsql immutable as $$
begin
  select p_total / p_parts, p_total % p_parts into each, rest;
end $$;

create function not_null_domain(p percent) returns percent language plpgsql immutable as $$
declare
  limit_ constant percent not null := 50;
  v percent not null default 10;
begin
  if p is not null then v := p; end if;
  return least(v, limit_);
end $$;

create function cents_of(p_values text[]) returns cents[] language plpgsql immutable as $$
declare v text; result cents[] := '{}'; one cents;
begin
  foreach v in array p_values loop
    begin
      one := v;
      result := result || one;
    exception when check_violation or invalid_text_representation then
      continue;
    end;
  end loop;
  return result;
end $$;

create function richest() returns email language plpgsql stable as $$
declare a email; b cents;
begin
  for a, b in select address, balance from accounts order by balance desc limit 1 loop
    return a;
  end loop;
  return null;
end $$;

create function by_address(p accounts.address%type) returns accounts.balance%type language plpgsql stable as $$
declare v_balance accounts.balance%type; v_id accounts.id%type;
begin
  execute format('select id, balance from %I where address = $1', 'accounts') into v_id, v_balance using p;
  return v_balance;
end $$;
-- expect: select * from open_account('Ada@example.com') => [{"account": 1, "stored": "Ada@example.com", "money": 0}]
-- expect: select deposit(1, 1000), withdraw(1, 5000) => [{"deposit": 975, "withdraw": "not enough"}]
-- expect: select is_email('a@b') a, is_email('x') b, slugify(' Hello, World! ') c, unique_slug('A b', '{a-b,a-b-2}') d => [{"a": true, "b": false, "c": "hello-world", "d": "a-b-3"}]
-- expect: select * from share(10, 3) => [{"each": 3, "rest": 1}]
-- expect: select not_null_domain(null) a, not_null_domain(70) b, cents_of('{1,-2,x,3}') c, richest() d, by_address('ADA@EXAMPLE.COM') e => [{"a": 10.00, "b": 50.00, "c": [1, 3], "d": "Ada@example.com", "e": 975}]
-- expect: select open_account('ada@EXAMPLE.com') => error 23505
