create table plans (id text primary key, monthly_cents int not null check (monthly_cents >= 0), interval_months int not null default 1);
create table memberships (id int generated always as identity primary key, org text not null, plan text not null references plans, period daterange not null, canceled_at date,
  constraint bounded check (lower_inc(period) and not upper_inf(period)));
create function proration(m memberships, on_day date, new_plan text) returns int language sql stable as $$
  select round((n.monthly_cents - o.monthly_cents)::numeric * greatest(0, upper(m.period) - on_day) / nullif(upper(m.period) - lower(m.period), 0))::int
  from plans o, plans n where o.id = m.plan and n.id = new_plan
$$;
create procedure change_plan(p_id int, p_plan text, p_day date, out charge int) language plpgsql as $$
declare m memberships;
begin
  select * into strict m from memberships where id = p_id for update;
  charge := proration(m, p_day, p_plan);
  update memberships set plan = p_plan where current_date is not null and id = p_id;
end $$;
insert into plans values ('basic', 1000), ('pro', 3000);
insert into memberships (org, plan, period) values ('acme', 'basic', '[2024-04-01,2024-05-01)');
-- expect: call change_plan(1, 'pro', '2024-04-16', null) => [{"charge":1000}]
-- expect: select plan from memberships => "pro"
-- expect: insert into memberships (org, plan, period) values ('x', 'basic', '[2024-01-01,)') => error 23514
-- expect: call change_plan(9, 'pro', '2024-04-16', null) => error P0002
