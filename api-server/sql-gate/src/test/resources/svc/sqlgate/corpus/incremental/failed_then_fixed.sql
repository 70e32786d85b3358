-- The first try breaks half-way: nothing of it stays
create table accounts (id int primary key, email text);
insert into accounts values (1, 'a@b.c'), (2, 'a@b.c');
-- next call
alter table accounts add column verified boolean default false;
create unique index accounts_email on accounts (email);
-- refused: sql_error, hint ""
-- expect: select count(*) from information_schema.columns where table_schema = 'public' and table_name = 'accounts' => 2
delete from accounts a using accounts b where a.email = b.email and a.id > b.id;
alter table accounts add column verified boolean default false;
create unique index accounts_email on accounts (email);
-- expect: select id, verified from accounts => [{"id":1,"verified":false}]
-- expect: insert into accounts (id, email) values (3, 'a@b.c') => error 23505
