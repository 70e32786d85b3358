create domain email as text constraint email_shape check (value ~* '^[^@\s]+@[^@\s]+\.[a-z]{2,}$');
create domain positive_int as int default 1 not null check (value > 0);
create domain slug as varchar(60) collate "C" check (value = lower(value) and value !~ '[^a-z0-9-]');
create type full_name as (first text, middle text, last text);
create type contact as (name full_name, emails email[], phone text);
create domain adult_contact as contact check ((value).emails is not null);
create table people (
  id positive_int primary key,
  contact adult_contact,
  history contact[] not null default '{}'
);
create function display(c contact) returns text language sql immutable as $$
  select concat_ws(' ', ((c).name).first, nullif(((c).name).middle, ''), ((c).name).last)
$$;
insert into people (id, contact) values (1, row(row('Ada', '', 'Lovelace'), array['ada@example.com'], null));
update people set contact.phone = '+44', history = history || contact::contact;
-- expect: select display(contact), (contact).phone, cardinality(history) as n from people => [{"display":"Ada Lovelace","phone":"+44","n":1}]
-- expect: select 'nope'::email => error 23514
-- expect: insert into people (id) values (0) => error 23514
-- expect as anon: GET /people?select=first:contact->name->>first => 200 [{"first":"Ada"}]
-- expect: select (contact).emails from people => [{"emails":["ada@example.com"]}]
