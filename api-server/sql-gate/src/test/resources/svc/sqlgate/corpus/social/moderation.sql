create type report_status as enum ('open', 'resolved', 'dismissed');
create table moderators (user_id uuid primary key references auth.users on delete cascade);
create table comments (
  id int generated always as identity primary key,
  user_id uuid default auth.uid(),
  body text not null,
  hidden_at timestamptz
);
create table reports (
  id int generated always as identity primary key,
  comment_id int not null references comments on delete cascade,
  reporter uuid not null default auth.uid(),
  reason text not null,
  status report_status not null default 'open',
  unique nulls not distinct (comment_id, reporter)
);
create function is_moderator() returns boolean language sql stable security definer
set search_path to public return exists (select 1 from moderators where user_id = auth.uid());

create function hide_after_three() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update comments set hidden_at = now()
  where id = new.comment_id and hidden_at is null
    and (select count(*) filter (where status = 'open') from reports where comment_id = new.comment_id) >= 3;
  return new;
end $$;
create constraint trigger hide_after_three after insert on reports
  deferrable initially deferred for each row execute function hide_after_three();

alter table comments enable row level security;
alter table reports enable row level security;
alter table moderators enable row level security;
create policy "visible" on comments for select using (hidden_at is null or is_moderator());
create policy "report" on reports for insert to authenticated with check (reporter = auth.uid());
create policy "moderate" on reports for select to authenticated using (is_moderator());

insert into comments (user_id, body) values (null, 'spam'), (null, 'fine');
-- sign up 1 mod@example.com
insert into moderators values ('00000000-0000-4000-8000-000000000001');
insert into reports (comment_id, reporter, reason)
select 1, gen_random_uuid(), 'spam' from generate_series(1, 3);
-- expect as anon: GET /comments?select=body => 200 [{"body":"fine"}]
-- expect as user 1: GET /comments?select=body&order=id => 200 [{"body":"spam"},{"body":"fine"}]
-- expect as user 2: GET /reports => 200 []
-- expect as user 1: GET /reports?select=status => 200 [{"status":"open"},{"status":"open"},{"status":"open"}]
