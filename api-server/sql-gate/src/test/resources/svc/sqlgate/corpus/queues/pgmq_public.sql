-- The schema through which clients of Supabase's Queues call pgmq, as its dashboard makes it
create extension if not exists pgmq;
create schema if not exists pgmq_public;
grant usage on schema pgmq_public to postgres, anon, authenticated, service_role;
create or replace function pgmq_public.pop(queue_name text) returns setof pgmq.message_record
language plpgsql set search_path = '' as $$
begin
  return query select * from pgmq.pop(queue_name := queue_name);
end $$;
create or replace function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0) returns setof bigint
language plpgsql set search_path = '' as $$
begin
  return query select * from pgmq.send(queue_name := queue_name, msg := message, delay := sleep_seconds);
end $$;
create or replace function pgmq_public.send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0) returns setof bigint
language plpgsql set search_path = '' as $$
begin
  return query select * from pgmq.send_batch(queue_name := queue_name, msgs := messages, delay := sleep_seconds);
end $$;
create or replace function pgmq_public.archive(queue_name text, message_id bigint) returns boolean
language plpgsql set search_path = '' as $$
begin
  return pgmq.archive(queue_name := queue_name, msg_id := message_id);
end $$;
create or replace function pgmq_public.delete(queue_name text, message_id bigint) returns boolean
language plpgsql set search_path = '' as $$
begin
  return pgmq.delete(queue_name := queue_name, msg_id := message_id);
end $$;
create or replace function pgmq_public.read(queue_name text, sleep_seconds integer, n integer) returns setof pgmq.message_record
language plpgsql set search_path = '' as $$
begin
  return query select * from pgmq.read(queue_name := queue_name, vt := sleep_seconds, qty := n);
end $$;
comment on function pgmq_public.read(text, integer, integer) is 'Reads up to n messages from the queue.';
grant execute on function pgmq_public.pop(text) to postgres, service_role, anon, authenticated;
grant execute on function pgmq.pop(text) to postgres, service_role, anon, authenticated;
grant execute on function pgmq_public.send(text, jsonb, integer) to postgres, service_role, anon, authenticated;
grant execute on function pgmq.send(text, jsonb, integer) to postgres, service_role, anon, authenticated;
grant all privileges on all tables in schema pgmq to postgres, service_role;
alter default privileges in schema pgmq grant all privileges on tables to postgres, service_role;
grant usage, select, update on all sequences in schema pgmq to anon, authenticated, service_role;
alter default privileges in schema pgmq grant usage, select, update on sequences to anon, authenticated, service_role;
grant usage on schema pgmq to postgres, anon, authenticated, service_role;
select pgmq.create('jobs');
alter table pgmq.q_jobs enable row level security;
-- expect: select * from pgmq_public.send('jobs', '{"a": 1}') => [{"send":1}]
-- expect: select msg_id, read_ct, message from pgmq_public.read('jobs', 0, 5) => [{"msg_id":1,"read_ct":1,"message":{"a":1}}]
-- expect: select * from pgmq_public.send_batch('jobs', array['{}', '{}']::jsonb[]) => [{"send_batch":2},{"send_batch":3}]
-- expect: select pgmq_public.archive('jobs', 1) and pgmq_public.delete('jobs', 2) => true
-- expect: select msg_id from pgmq_public.pop('jobs') => [{"msg_id":3}]
-- expect: select has_table_privilege('service_role', 'pgmq.q_jobs', 'insert') => true
-- expect: select has_table_privilege('anon', 'pgmq.q_jobs', 'insert') => false
