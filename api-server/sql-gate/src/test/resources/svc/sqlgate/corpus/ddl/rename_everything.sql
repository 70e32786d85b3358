create type old_enum as enum ('one', 'two');
create type old_comp as (a int);
create domain old_domain as int constraint dc check (value > 0);
create table old_table (old_col old_enum, constraint old_check check (old_col is not null));
create view old_view as select old_col from old_table;
create materialized view old_mv as select 1 x;
create index old_idx on old_table (old_col);
create sequence old_seq;
create function old_fn(int) returns int language sql as 'select $1';
create procedure old_proc() language sql as '';
create aggregate old_agg(int) (sfunc = int4pl, stype = int);
create function tf() returns trigger language plpgsql as 'begin return new; end';
create trigger old_trg before insert on old_table for each row execute function tf();
create policy old_pol on old_table using (true);
create statistics old_st on (upper(old_col::text)), old_col from old_table;

alter type old_enum rename value 'one' to 'uno';
alter type old_enum rename to new_enum;
alter type old_comp rename attribute a to b cascade;
alter type old_comp add attribute c text, alter attribute b type bigint;
alter type old_comp rename to new_comp;
alter domain old_domain rename constraint dc to dc2;
alter domain old_domain rename to new_domain;
alter domain new_domain set default 5;
alter domain new_domain drop constraint dc2;
alter domain new_domain add constraint dc3 check (value < 100) not valid;
alter domain new_domain validate constraint dc3;
alter domain new_domain set not null;
alter view old_view rename column old_col to new_col;
alter view old_view rename to new_view;
alter view new_view set (security_invoker = true);
alter view new_view alter column new_col set default 'two';
alter materialized view old_mv rename to new_mv;
alter index old_idx rename to new_idx;
alter sequence old_seq rename to new_seq;
alter function old_fn(int) rename to new_fn;
alter function new_fn(int) immutable strict parallel safe cost 5 set work_mem = '8MB';
alter function new_fn(int) reset work_mem;
alter procedure old_proc() rename to new_proc;
alter aggregate old_agg(int) rename to new_agg;
alter trigger old_trg on old_table rename to new_trg;
alter policy old_pol on old_table rename to new_pol;
alter policy new_pol on old_table to authenticated using (old_col = 'uno') with check (true);
alter statistics old_st rename to new_st;
alter statistics new_st set statistics 50;
alter table old_table rename constraint old_check to new_check;
alter table old_table disable trigger new_trg;
alter table old_table rename to new_table;
alter table new_table enable row level security;
insert into new_table values ('uno'), ('two');
-- expect: select new_agg(new_fn(x)) from generate_series(1, 3) x => 6
-- expect: select row(1, 'x')::new_comp => [{"row":{"b":1,"c":"x"}}]
-- expect: select 100::new_domain => error 23514
-- expect as user 1: GET /new_table => 200 [{"old_col":"uno"}]
-- expect as anon: GET /new_view => 200 []
-- expect: select policyname from pg_policies where tablename = 'new_table' => "new_pol"
