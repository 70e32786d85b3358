create sequence ticket_number start 100 increment by 1 minvalue 1 maxvalue 9999999 cache 1 no cycle;
create table tickets (
  id text primary key default 'T-' || nextval('ticket_number'),
  requester uuid not null default auth.uid(),
  assignee uuid,
  subject text not null,
  priority smallint not null default 2 check (priority in (1, 2, 3)),
  opened_at timestamptz not null default now(),
  first_reply_at timestamptz,
  closed_at timestamptz
);
alter sequence ticket_number owned by tickets.id;
create table replies (
  id bigserial primary key, ticket_id text references tickets on delete cascade, author uuid default auth.uid(), internal boolean default false, body text
);
create table agents (user_id uuid primary key);
create function is_agent() returns boolean language sql stable security definer set search_path = public as
  'select exists (select 1 from agents where user_id = auth.uid())';
create function mark_first_reply() returns trigger language plpgsql security definer set search_path = public as '
begin
  update tickets set first_reply_at = now() where id = new.ticket_id and first_reply_at is null and requester <> new.author;
  return new;
end';
create trigger first_reply after insert on replies for each row execute function mark_first_reply();
alter table tickets enable row level security;
alter table replies enable row level security;
alter table agents enable row level security;
create policy t on tickets using (requester = auth.uid() or is_agent());
create policy r_read on replies for select using (
  (not internal or is_agent()) and exists (select 1 from tickets t where t.id = ticket_id));
create policy r_write on replies for insert with check (author = auth.uid() and (not internal or is_agent()));
insert into agents values ('00000000-0000-4000-8000-000000000009');
-- expect as user 1: POST /tickets?select=id {"subject":"help"} => 201 [{"id":"T-100"}]
-- expect as user 2: GET /tickets => 200 []
-- expect as user 9: POST /replies?select=body {"ticket_id":"T-100","body":"looking","internal":true} => 201 [{"body":"looking"}]
-- expect as user 1: GET /replies => 200 []
-- expect as user 9: POST /replies?select=body {"ticket_id":"T-100","body":"fixed"} => 201 [{"body":"fixed"}]
-- expect as user 1: GET /replies?select=body,tickets(subject) => 200 [{"body":"fixed","tickets":{"subject":"help"}}]
-- expect as user 1: POST /replies {"ticket_id":"T-100","body":"x","internal":true} => 403
-- expect: select first_reply_at is not null from tickets => true
