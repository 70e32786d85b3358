-- Polls: one vote per user and poll, results as a view
create table polls (
  id uuid primary key default gen_random_uuid(),
  question text not null,
  closes_at timestamptz
);
create table poll_options (
  id bigserial primary key,
  poll_id uuid not null references polls on delete cascade,
  label text not null,
  position smallint not null default 0
);
create table votes (
  poll_id uuid not null references polls on delete cascade,
  option_id bigint not null references poll_options on delete cascade,
  voter uuid not null default auth.uid(),
  primary key (poll_id, voter)
);

create view poll_results with (security_invoker = off) as
select o.poll_id, o.label, count(v.voter)::int as votes,
       round(100.0 * count(v.voter) / nullif(sum(count(v.voter)) over (partition by o.poll_id), 0), 1) as percent
from poll_options o left join votes v on v.option_id = o.id
group by o.id, o.poll_id, o.label, o.position
order by o.position;

alter table polls enable row level security;
alter table poll_options enable row level security;
alter table votes enable row level security;
create policy p on polls for select using (true);
create policy o on poll_options for select using (true);
create policy v on votes for insert to authenticated with check (
  voter = auth.uid()
  and exists (select from polls where id = poll_id and (closes_at is null or closes_at > now()))
);

insert into polls (id, question, closes_at) values
  ('10000000-0000-4000-8000-000000000000', 'Tabs or spaces?', null),
  ('20000000-0000-4000-8000-000000000000', 'Closed?', '2020-01-01');
insert into poll_options (poll_id, label, position)
values ('10000000-0000-4000-8000-000000000000', 'tabs', 1), ('10000000-0000-4000-8000-000000000000', 'spaces', 2),
       ('20000000-0000-4000-8000-000000000000', 'yes', 1);
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
-- expect as service: POST /votes {"poll_id":"10000000-0000-4000-8000-000000000000","option_id":1,"voter":"00000000-0000-4000-8000-000000000002"} => 201
-- expect as user 1: POST /votes {"poll_id":"20000000-0000-4000-8000-000000000000","option_id":3} => 403
-- expect as anon: GET /poll_results?poll_id=eq.10000000-0000-4000-8000-000000000000&select=label,votes,percent => 200
--     [{"label":"tabs","votes":1,"percent":100.0},{"label":"spaces","votes":0,"percent":0.0}]
-- expect as anon: GET /votes => 200 []
