create table events (id int primary key, title text, capacity int not null check (capacity >= 0));
create table registrations (
  event_id int references events, user_id uuid default auth.uid(), waitlisted boolean not null default false,
  at timestamptz not null default clock_timestamp(), primary key (event_id, user_id)
);
-- Locks the event row so that two sign-ups cannot take the last seat
create function register(p_event int, p_user uuid default auth.uid()) returns text language plpgsql as $$
declare
  seats int;
begin
  select capacity into strict seats from events where id = p_event for no key update;
  if (select count(*) from registrations where event_id = p_event and not waitlisted) < seats then
    insert into registrations (event_id, user_id) values (p_event, p_user);
    return 'in';
  end if;
  insert into registrations (event_id, user_id, waitlisted) values (p_event, p_user, true);
  return 'waiting';
exception
  when unique_violation then return 'already';
  when no_data_found then return 'unknown';
end $$;
insert into events values (1, 'Meetup', 1);
-- expect as user 1: POST /rpc/register {"p_event":1} => 200 "in"
-- expect as user 1: POST /rpc/register {"p_event":1} => 200 "already"
-- expect as user 2: POST /rpc/register {"p_event":1} => 200 "waiting"
-- expect as user 2: POST /rpc/register {"p_event":2} => 200 "unknown"
-- expect: select count(*) filter (where waitlisted) as w, count(*) filter (where not waitlisted) as i from registrations => [{"w":1,"i":1}]
