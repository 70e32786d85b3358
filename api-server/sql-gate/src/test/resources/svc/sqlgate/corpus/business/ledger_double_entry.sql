-- Double-entry ledger; every transaction must balance at commit
create table accounts (code text primary key, name text not null, kind text not null check (kind in ('asset', 'liability', 'income', 'expense')));
create table journal (id bigint generated always as identity primary key, memo text, booked_at timestamptz default now());
create table entries (
  journal_id bigint not null references journal on delete restrict deferrable initially deferred,
  account text not null references accounts,
  amount numeric(18, 4) not null check (amount <> 0)
);
create function check_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from entries where journal_id = coalesce(new.journal_id, old.journal_id)) <> 0 then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation', table = 'entries';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert or update or delete on entries
  deferrable initially deferred for each row execute function check_balance();

insert into accounts values ('1000', 'Cash', 'asset'), ('4000', 'Sales', 'income'), ('5000', 'Coffee', 'expense');
with j as (insert into journal (memo) values ('sale') returning id)
insert into entries select id, a, v from j, (values ('1000', 100), ('4000', -100)) x(a, v);
with j as (insert into journal (memo) values ('coffee') returning id)
insert into entries select id, a, v from j, (values ('5000', 3.5), ('1000', -3.5)) x(a, v);
set constraints all immediate;

create view balances as
  select account, sum(amount) as balance, grouping(account) as total from entries group by rollup (account);
-- expect: select account, balance from balances where total = 0 order by 1 => [{"account":"1000","balance":96.5000},{"account":"4000","balance":-100.0000},{"account":"5000","balance":3.5000}]
-- expect: select balance from balances where total = 1 => 0.0000
-- expect: insert into entries values (1, '1000', 5) => error 23514
-- expect: insert into entries values (9, '1000', 5), (9, '4000', -5) => error 23503
