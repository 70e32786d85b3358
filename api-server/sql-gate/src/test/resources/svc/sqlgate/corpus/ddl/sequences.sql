create sequence if not exists public.order_seq as smallint increment 5 minvalue 5 maxvalue 20 start with 5 cycle;
create sequence plain;
create table orders (no int default nextval('public.order_seq'::regclass), code text default 'O' || lpad(nextval('plain')::text, 3, '0'));
alter sequence plain restart with 42 increment by 2 owned by orders.code;
alter sequence public.order_seq no cycle;
alter sequence if exists not_there restart;
alter sequence plain rename to order_codes;
insert into orders default values;
insert into orders default values;
select setval('public.order_seq', 20, false);
-- expect: select * from orders order by no => [{"no":5,"code":"O042"},{"no":10,"code":"O044"}]
-- expect: select nextval('public.order_seq') => 20
-- expect: select nextval('order_seq') => error 2200H
-- expect: select currval('order_codes') => error 55000
-- expect: select pg_get_serial_sequence('public.orders', 'code') like '%order_codes' => true
-- expect: select last_value, is_called from order_codes => [{"last_value":44,"is_called":true}]
