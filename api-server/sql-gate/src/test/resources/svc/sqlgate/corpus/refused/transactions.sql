begin;
create table a (id int);
savepoint one;
insert into a values (1);
rollback to savepoint one;
commit;
-- refused: sql_forbidden_statement, hint "one transaction"
begin;
create table a (id int);
-- refused: sql_forbidden_statement, hint "pairs"
create table a (id int);
do $$ begin
  insert into a values (1), (null);
  begin
    insert into a values (1 / 0);
  exception when division_by_zero then null;
  end;
end $$;
-- expect: select count(*) from a => 2
