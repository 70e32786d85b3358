-- A queue of pgmq: sent by a trigger, read and archived by functions that a worker calls
create extension if not exists pgmq with schema pgmq cascade;
select pgmq.create('mails');
create table signups (id int generated always as identity primary key, email text not null);
alter table signups enable row level security;
create function queue_mail() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pgmq.send('mails', jsonb_build_object('to', new.email));
  return new;
end $$;
create trigger queue_mail after insert on signups for each row execute function queue_mail();
create function next_mail() returns jsonb language plpgsql security definer set search_path = '' as $$
declare m pgmq.message_record;
begin
  select * into m from pgmq.read(queue_name => 'mails', vt => 30, qty => 1);
  if m.msg_id is null then return null; end if;
  perform pgmq.archive('mails', m.msg_id);
  return m.message;
end $$;
do $$
begin
  if not exists (select from pgmq.list_queues() where queue_name = 'reports') then
    perform pgmq.create_unlogged('reports');
  end if;
  execute format('select pgmq.send(%L, %L)', 'reports', '{"n": 1}');
end $$;
create function peek() returns setof pgmq.message_record language sql security definer set search_path = '' as $$
  select * from pgmq.read('mails', 0, 5)
$$;
alter table pgmq.q_mails enable row level security;
insert into signups (email) values ('ann@example.com'), ('bob@example.com');
-- expect: select count(*) from pg_extension where extname = 'pgmq' => 1
-- expect: select count(*) from pgmq.q_mails => 2
-- expect as service: POST /rpc/peek?select=msg_id,message->>to&msg_id=eq.2 {} => 200 [{"msg_id":2,"to":"bob@example.com"}]
-- expect as service: POST /rpc/next_mail {} => 200 {"to":"ann@example.com"}
-- expect: select next_mail() ->> 'to' => "bob@example.com"
-- expect: select count(*) from pgmq.a_mails => 2
-- expect: select queue_length from pgmq.metrics('reports') => 1
-- expect: select pgmq.drop_queue('reports') => true
-- expect: select queue_name from pgmq.meta => [{"queue_name":"mails"}]
