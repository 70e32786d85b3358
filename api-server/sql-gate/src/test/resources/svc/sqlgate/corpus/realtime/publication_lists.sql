create table public.cursors (id uuid primary key, x int, y int);
create table public.presence (user_id uuid primary key, seen timestamptz);
create table public.private_stuff (id int primary key);
alter publication supabase_realtime add table public.cursors, public.presence;
alter table public.cursors replica identity full;
alter table public.presence replica identity default;
do $$
begin
  alter publication supabase_realtime add table public.cursors;
exception when duplicate_object then
  raise notice 'cursors is published already';
end $$;
-- expect: select tablename from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public' order by 1 => [{"tablename":"cursors"},{"tablename":"presence"}]
alter publication supabase_realtime drop table public.presence;
-- expect: select count(*) from pg_publication_tables where pubname = 'supabase_realtime' => 1
alter publication supabase_realtime set table public.private_stuff;
-- expect: select tablename from pg_publication_tables where pubname = 'supabase_realtime' => "private_stuff"
-- expect: select relreplident from pg_class where oid = 'public.cursors'::regclass => "f"
