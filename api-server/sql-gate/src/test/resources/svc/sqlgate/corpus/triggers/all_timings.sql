create table t (id int primary key, v int);
create table seen (n int generated always as identity, what text);
create view tv as select * from t;
create function note() returns trigger language plpgsql as $$
begin
  insert into seen (what) values (tg_name || ':' || tg_when || ' ' || tg_op || ' ' || tg_level || coalesce(' ' || tg_argv[0], ''));
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create function through_view() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then insert into t values (new.id, new.v);
    when 'UPDATE' then update t set v = new.v where id = old.id;
    else delete from t where id = old.id;
  end case;
  return new;
end $$;
create trigger a1 before insert or update of v or delete on t for each row execute function note();
create trigger a2 after insert on t for each statement execute procedure note('arg');
create trigger a3 before truncate on t for each statement execute function note();
create trigger a4 after update on t for each row when (new.v > old.v) execute function note('grew', 'x');
create constraint trigger a5 after delete on t deferrable initially deferred for each row execute function note();
create trigger a6 instead of insert or update or delete on tv for each row execute function through_view();
insert into tv values (1, 1);
update tv set v = 0;
update tv set v = 5;
delete from tv;
set constraints all immediate;
truncate t;
alter table t disable trigger all;
insert into t values (2, 2);
alter table t enable trigger user;
alter table t enable always trigger a2;
-- expect: select what from seen order by n => [{"what":"a1:BEFORE INSERT ROW"},{"what":"a2:AFTER INSERT STATEMENT arg"},{"what":"a1:BEFORE UPDATE ROW"},
--     {"what":"a1:BEFORE UPDATE ROW"},{"what":"a4:AFTER UPDATE ROW grew"},{"what":"a1:BEFORE DELETE ROW"},{"what":"a5:AFTER DELETE ROW"},{"what":"a3:BEFORE TRUNCATE STATEMENT"}]
-- expect: select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass and tgname = 'a2' => [{"tgname":"a2","tgenabled":"A"}]
