create extension if not exists citext with schema extensions;
create table subscribers (
  id uuid primary key default gen_random_uuid(), email citext not null unique, confirmed_at timestamptz, token text not null default encode(extensions.gen_random_bytes(16), 'hex'),
  unsubscribed_at timestamptz, tags text[] not null default '{}'
);
create table issues (id int generated always as identity primary key, subject text, html text, sent_at timestamptz);
create table deliveries (issue_id int references issues, subscriber_id uuid references subscribers on delete cascade, opened_at timestamptz, clicked_links text[] default '{}', primary key (issue_id, subscriber_id));
create function subscribe(address text, variadic topics text[] default '{}') returns void language plpgsql security definer set search_path = public, extensions as $$
begin
  insert into subscribers as s (email, tags) values (address, topics)
  on conflict (email) do update set unsubscribed_at = null, tags = (select array_agg(distinct t order by t) from unnest(s.tags || excluded.tags) t);
end $$;
create procedure send_issue(p_issue int) language plpgsql as $$
begin
  insert into deliveries (issue_id, subscriber_id)
  select p_issue, id from subscribers where confirmed_at is not null and unsubscribed_at is null
  on conflict do nothing;
  update issues set sent_at = coalesce(sent_at, now()) where id = p_issue;
end $$;
alter table subscribers enable row level security;
select subscribe('a@b.c', 'sql');
select subscribe('A@B.C', 'java', 'sql');
update subscribers set confirmed_at = now();
select subscribe('later@b.c');
insert into issues (subject) values ('Hello');
call send_issue(1);
call send_issue(1);
-- expect: select email, tags from subscribers order by email => [{"email":"a@b.c","tags":["java","sql"]},{"email":"later@b.c","tags":[]}]
-- expect: select count(*) from deliveries => 1
-- expect as anon: GET /subscribers => 200 []
-- expect as service: GET /deliveries?select=issues(subject),subscribers(email) => 200 [{"issues":{"subject":"Hello"},"subscribers":{"email":"a@b.c"}}]
