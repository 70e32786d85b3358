/**
* USERS
* Note: This table contains user data. Users should only be able to view and update their own data.
*/
create table users (
  -- UUID from auth.users
  id uuid references auth.users not null primary key,
  full_name text,
  billing_address jsonb,
  payment_method jsonb
);
alter table users enable row level security;
create policy "Can view own user data." on users for select using (auth.uid() = id);
create policy "Can update own user data." on users for update using (auth.uid() = id);

create function public.handle_new_user() returns trigger as $$
begin
  insert into public.users (id, full_name) values (new.id, new.raw_user_meta_data->>'full_name');
  return new;
end;
$$ language plpgsql security definer;
create trigger on_auth_user_created after insert on auth.users for each row execute procedure public.handle_new_user();

-- CUSTOMERS: private table, no policies
create table customers (
  id uuid references auth.users not null primary key,
  stripe_customer_id text
);
alter table customers enable row level security;

create table products (
  id text primary key, active boolean, name text, description text, metadata jsonb
);
alter table products enable row level security;
create policy "Allow public read-only access." on products for select using (true);

create type pricing_type as enum ('one_time', 'recurring');
create type pricing_plan_interval as enum ('day', 'week', 'month', 'year');
create table prices (
  id text primary key,
  product_id text references products,
  active boolean,
  unit_amount bigint,
  currency text check (char_length(currency) = 3),
  type pricing_type,
  interval pricing_plan_interval,
  interval_count integer
);
alter table prices enable row level security;
create policy "Allow public read-only access." on prices for select using (true);

create type subscription_status as enum ('trialing', 'active', 'canceled', 'incomplete', 'past_due', 'unpaid', 'paused');
create table subscriptions (
  id text primary key,
  user_id uuid references auth.users not null,
  status subscription_status,
  price_id text references prices,
  quantity integer,
  cancel_at_period_end boolean,
  created timestamp with time zone default timezone('utc'::text, now()) not null,
  current_period_end timestamp with time zone default timezone('utc'::text, now()) not null
);
alter table subscriptions enable row level security;
create policy "Can only view own subs data." on subscriptions for select using (auth.uid() = user_id);

/** REALTIME SUBSCRIPTIONS: only for products and prices */
drop publication if exists supabase_realtime;
create publication supabase_realtime for table products, prices;
-- sign up 1 ada@example.com {"full_name": "Ada"}
-- expect as service: POST /products {"id":"prod_1","active":true,"name":"Pro"} => 201
-- expect as service: POST /prices {"id":"price_1","product_id":"prod_1","unit_amount":1500,"currency":"eur","type":"recurring","interval":"month"} => 201
-- expect as service: POST /subscriptions {"id":"sub_1","user_id":"00000000-0000-4000-8000-000000000001","status":"active","price_id":"price_1"} => 201
-- expect as user 1: GET /subscriptions?select=status,prices(unit_amount,products(name)) => 200
--     [{"status":"active","prices":{"unit_amount":1500,"products":{"name":"Pro"}}}]
-- expect as anon: GET /subscriptions => 200 []
-- expect as user 1: GET /users?select=full_name => 200 [{"full_name":"Ada"}]
-- expect as user 1: GET /customers => 200 []
-- expect: select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1 => [{"tablename":"prices"},{"tablename":"products"}]
