create table logs (at date not null, line text) partition by range (at);
create table logs_2023 partition of logs for values from ('2023-01-01') to ('2024-01-01');
insert into logs values ('2023-05-05', 'old');
-- expect: insert into logs values ('2024-05-05', 'new') => error 23514
create or replace procedure ensure_partition(y int) language plpgsql as $$
declare
  name text := format('logs_%s', y);
begin
  if to_regclass(name) is null then
    execute format('create table %I partition of logs for values from (%L) to (%L)', name, make_date(y, 1, 1), make_date(y + 1, 1, 1));
  end if;
end $$;
call ensure_partition(2024);
call ensure_partition(2024);
insert into logs values ('2024-05-05', 'new');
-- expect: select count(*) from pg_inherits i where i.inhparent = 'public.logs'::regclass => 2
alter table logs detach partition logs_2023;
drop table logs_2023;
-- expect: select line from logs => "new"
