create table currencies (code char(3) primary key, rate numeric not null constraint positive check (rate > 0) no inherit);
create table accounts (
  id int generated always as identity,
  iban text,
  currency char(3) default 'EUR' references currencies on update cascade on delete set default,
  owner text not null,
  valid_from date not null,
  valid_to date not null default 'infinity',
  constraint accounts_pk primary key (id) include (iban),
  constraint iban_unique unique nulls not distinct (iban),
  constraint period check (valid_from < valid_to),
  constraint one_at_a_time exclude using gist (owner with =, daterange(valid_from, valid_to) with &&) deferrable initially deferred
);
insert into currencies values ('EUR', 1), ('USD', 1.1);
alter table accounts add constraint owner_named check (owner <> '') not valid;
alter table accounts validate constraint owner_named;
create unique index accounts_owner_from on accounts (owner, valid_from);
alter table accounts add constraint owner_from unique using index accounts_owner_from;
insert into accounts (iban, currency, owner, valid_from, valid_to) values (null, 'USD', 'ada', '2020-01-01', '2021-01-01');
-- expect: insert into accounts (iban, owner, valid_from) values (null, 'bob', '2020-01-01') => error 23505
-- expect: insert into accounts (iban, owner, valid_from) values ('x', 'ada', '2020-06-01') => error 23P01
-- expect: delete from currencies where code = 'USD' returning code => "USD"
-- expect: select currency from accounts => "EUR"
-- expect: insert into accounts (iban, owner, valid_from) values ('y', '', '2020-06-01') => error 23514
