-- Generic audit trail: one trigger function for any table
create table public.audit_log (
  id bigint generated always as identity primary key,
  table_name text not null,
  record_id text,
  action text not null check (action in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')),
  old_data jsonb,
  new_data jsonb,
  changed_fields text[],
  actor uuid default auth.uid(),
  at timestamptz not null default now()
);
alter table public.audit_log enable row level security;

create or replace function public.audit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  pk_column text := coalesce(tg_argv[0], 'id');
  before jsonb := case when tg_op in ('UPDATE', 'DELETE') then to_jsonb(old) end;
  after jsonb := case when tg_op in ('INSERT', 'UPDATE') then to_jsonb(new) end;
begin
  insert into public.audit_log (table_name, record_id, action, old_data, new_data, changed_fields)
  values (
    tg_table_name,
    coalesce(after, before) ->> pk_column,
    tg_op, before, after,
    case when tg_op = 'UPDATE' then array(
      select key from jsonb_each(after) where before -> key is distinct from value order by key) end
  );
  return coalesce(new, old);
end $$;

create table public.articles (id int primary key, title text, body text);
create table public.settings (name text primary key, value text);
create trigger audit after insert or update or delete on public.articles for each row execute function public.audit();
create trigger audit after insert or update or delete on public.settings for each row execute function public.audit('name');

insert into public.articles values (1, 'a', 'x');
update public.articles set title = 'b';
delete from public.articles;
insert into public.settings values ('theme', 'dark');
-- expect: select action, record_id, changed_fields from audit_log where table_name = 'articles' order by id => [
--     {"action":"INSERT","record_id":"1","changed_fields":null},{"action":"UPDATE","record_id":"1","changed_fields":["title"]},
--     {"action":"DELETE","record_id":"1","changed_fields":null}]
-- expect as user 1: PATCH /settings?name=eq.theme&select=value {"value":"light"} => 200 [{"value":"light"}]
-- expect: select record_id, actor from audit_log order by id desc limit 1 => [{"record_id":"theme","actor":"00000000-0000-4000-8000-000000000001"}]
-- expect as user 1: GET /audit_log => 200 []
