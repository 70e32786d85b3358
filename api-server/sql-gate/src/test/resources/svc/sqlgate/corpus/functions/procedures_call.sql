create table accounts (name text primary key, balance numeric not null check (balance >= 0));
insert into accounts values ('ada', 100), ('bob', 0);
create or replace procedure transfer(sender text, receiver text, amount numeric, inout remaining numeric default null)
language plpgsql as $$
begin
  update accounts set balance = balance - amount where name = sender returning balance into remaining;
  update accounts set balance = balance + amount where name = receiver;
  if not found then
    raise foreign_key_violation using message = 'no receiver ' || receiver;
  end if;
end $$;
create procedure sweep() begin atomic
  delete from accounts where balance = 0;
end;
call transfer('ada', 'bob', 30);
do $$
declare r numeric;
begin
  call transfer('ada', 'bob', 20, r);
  if r <> 50 then raise exception 'wrong: %', r; end if;
end $$;
call transfer(sender => 'bob', receiver => 'ada', amount => 50);
call sweep();
-- expect: select * from accounts => [{"name":"ada","balance":100}]
-- expect: call transfer('ada', 'nobody', 1) => error 23503
-- expect: call transfer('ada', 'ada', 1000) => error 23514
-- expect: select balance from accounts => 100
