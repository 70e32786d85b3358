begin;

create table public.categories (
  id smallint generated always as identity primary key,
  name text unique not null,
  icon text
);

create table public.expenses (
  id bigint generated always as identity primary key,
  user_id uuid not null default auth.uid(),
  category_id smallint references public.categories (id) on delete set null,
  amount numeric(12, 2) not null check (amount > 0),
  currency char(3) not null default 'EUR',
  spent_on date not null default now()::date,
  memo text
);

insert into public.categories (name, icon) values ('Food', '🍕'), ('Travel', '✈️'), ('Rent', '🏠')
on conflict (name) do nothing;

insert into public.expenses (user_id, category_id, amount, spent_on)
select '00000000-0000-4000-8000-000000000001', c.id, a.amount, a.day
from (values ('Food', 12.50, date '2024-03-01'), ('Food', 7.5, '2024-03-20'), ('Rent', 900, '2024-04-01')) a (cat, amount, day)
join public.categories c on c.name = a.cat;

create or replace view public.monthly_totals
with (security_invoker = true) as
select user_id, date_trunc('month', spent_on)::date as month, c.name as category, sum(amount) as total
from public.expenses e
left join public.categories c on c.id = e.category_id
group by 1, 2, 3;

alter table public.expenses enable row level security;
create policy "own" on public.expenses using (user_id = (select auth.uid()));

commit;
-- expect as user 1: GET /monthly_totals?order=month&select=month,category,total => 200
--     [{"month":"2024-03-01","category":"Food","total":20.00},{"month":"2024-04-01","category":"Rent","total":900.00}]
-- expect as user 2: GET /monthly_totals => 200 []
-- expect: delete from categories where name = 'Food' returning icon => "🍕"
-- expect: select count(*) from expenses where category_id is null => 2
