-- Conversations between two people; the pair is unordered
create table conversations (
  id uuid primary key default gen_random_uuid(),
  a uuid not null references auth.users on delete cascade,
  b uuid not null references auth.users on delete cascade,
  last_message_at timestamptz,
  check (a < b),
  unique (a, b)
);
create table direct_messages (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references conversations on delete cascade,
  sender uuid not null default auth.uid(),
  body text not null,
  read_at timestamptz
);
create index unread on direct_messages (conversation_id) where read_at is null;

create or replace function start_conversation(with_user uuid) returns uuid
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
declare
  me uuid := auth.uid();
  found_id uuid;
begin
  insert into conversations (a, b) values (least(me, with_user), greatest(me, with_user))
  on conflict (a, b) do update set last_message_at = conversations.last_message_at
  returning id into found_id;
  return found_id;
end $$;

alter table conversations enable row level security;
alter table direct_messages enable row level security;
create policy c on conversations for select to authenticated using (auth.uid() in (a, b));
create policy d on direct_messages for select to authenticated using (
  conversation_id in (select id from conversations));
create policy d_insert on direct_messages for insert to authenticated with check (
  sender = auth.uid() and conversation_id in (select id from conversations));
create policy d_read on direct_messages for update to authenticated
  using (sender <> auth.uid() and conversation_id in (select id from conversations));
revoke update on direct_messages from authenticated;
grant update (read_at) on direct_messages to authenticated;
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
-- sign up 3 eve@example.com
-- expect as user 2: POST /rpc/start_conversation {"with_user":"00000000-0000-4000-8000-000000000001"} => 200
-- expect as user 1: POST /rpc/start_conversation {"with_user":"00000000-0000-4000-8000-000000000002"} => 200
insert into direct_messages (conversation_id, sender, body)
select id, '00000000-0000-4000-8000-000000000001', 'hi bob' from conversations;
-- expect as user 2: GET /direct_messages?select=body => 200 [{"body":"hi bob"}]
-- expect as user 3: GET /direct_messages => 200 []
-- expect as user 2: PATCH /direct_messages?body=eq.hi%20bob&select=body {"read_at":"2024-01-01T00:00:00Z"} => 200 [{"body":"hi bob"}]
-- expect as user 2: PATCH /direct_messages?body=eq.hi%20bob {"body":"changed"} => 403
-- expect as user 1: PATCH /direct_messages?body=eq.hi%20bob {"read_at":null} => 200 []
-- expect: select count(*) from conversations => 1
