-- Private channels: who may listen and send
create table public.rooms (topic text primary key, name text);
create table public.rooms_users (user_id uuid references auth.users (id), room_topic text references public.rooms (topic), primary key (user_id, room_topic));
alter table public.rooms_users enable row level security;
create policy "own" on public.rooms_users for select to authenticated using (user_id = (select auth.uid()));

create policy "authenticated can receive broadcast" on realtime.messages for select to authenticated
using (
  exists (
    select user_id from public.rooms_users
    where user_id = (select auth.uid())
      and room_topic = (select realtime.topic())
      and realtime.messages.extension in ('broadcast')
  )
);
create policy "authenticated can send broadcast and presence" on realtime.messages for insert to authenticated
with check (
  exists (
    select 1 from public.rooms_users
    where user_id = (select auth.uid()) and room_topic = (select realtime.topic())
      and realtime.messages.extension in ('broadcast', 'presence')
  )
);
-- expect: select policyname, cmd from pg_policies where schemaname = 'realtime' and tablename = 'messages' and policyname like 'authenticated%' order by 1 => [
--     {"policyname":"authenticated can receive broadcast","cmd":"SELECT"},{"policyname":"authenticated can send broadcast and presence","cmd":"INSERT"}]
drop policy "authenticated can receive broadcast" on realtime.messages;
drop policy if exists "was never there" on realtime.messages;
-- expect: select count(*) from pg_policies where tablename = 'messages' and policyname like 'authenticated%' => 1
