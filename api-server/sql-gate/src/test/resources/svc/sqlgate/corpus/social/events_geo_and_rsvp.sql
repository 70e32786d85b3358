create type rsvp as enum ('yes', 'no', 'maybe');
create table meetups (id uuid primary key default gen_random_uuid(), host uuid not null default auth.uid(), title text not null, at timestamptz not null, place point, capacity int, cancelled boolean not null default false);
create table rsvps (meetup_id uuid references meetups on delete cascade, user_id uuid not null default auth.uid(), answer rsvp not null, guests int not null default 0 check (guests between 0 and 5), primary key (meetup_id, user_id));
create index meetups_place on meetups using gist (place);
create view attendance with (security_invoker = off) as
  select m.id, m.title, count(*) filter (where r.answer = 'yes') + coalesce(sum(r.guests) filter (where r.answer = 'yes'), 0) as coming,
         m.capacity - (count(*) filter (where r.answer = 'yes') + coalesce(sum(r.guests) filter (where r.answer = 'yes'), 0)) as free
  from meetups m left join rsvps r on r.meetup_id = m.id where not m.cancelled group by m.id;
alter table meetups enable row level security;
alter table rsvps enable row level security;
create policy m on meetups for select using (not cancelled or host = auth.uid());
create policy m_host on meetups for all to authenticated using (host = auth.uid()) with check (host = auth.uid());
create policy r on rsvps for all to authenticated using (user_id = auth.uid() or exists (select from meetups m where m.id = meetup_id and m.host = auth.uid())) with check (user_id = auth.uid());
insert into meetups (id, host, title, at, place, capacity) values ('a0000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001', 'SQL night', '2030-01-01', '(13.4,52.5)', 10);
-- expect as user 2: POST /rsvps?select=answer {"meetup_id":"a0000000-0000-4000-8000-000000000000","answer":"yes","guests":2} => 201 [{"answer":"yes"}]
-- expect as user 3: POST /rsvps?on_conflict=meetup_id,user_id&select=answer {"meetup_id":"a0000000-0000-4000-8000-000000000000","answer":"maybe"} => 201 [{"answer":"maybe"}]
-- expect as anon: GET /attendance?select=title,coming,free => 200 [{"title":"SQL night","coming":3,"free":7}]
-- expect as user 1: GET /rsvps?select=answer&order=answer => 200 [{"answer":"yes"},{"answer":"maybe"}]
-- expect as user 3: GET /rsvps?select=answer => 200 [{"answer":"maybe"}]
-- expect: select title from meetups where place <@ box '((13,52),(14,53))' => "SQL night"
