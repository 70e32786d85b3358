create function tell() returns trigger language plpgsql as $$
begin
  perform pg_notify('orders', new.id::text);
  return new;
end $$;
-- refused: sql_forbidden_object, hint "realtime"
notify orders, 'x';
-- refused: sql_forbidden_statement, hint "realtime"
create table orders (id int primary key);
alter publication supabase_realtime add table orders;
-- expect: select tablename from pg_publication_tables where pubname = 'supabase_realtime' => "orders"
