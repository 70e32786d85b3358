create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text,
  model text not null default 'small',
  archived boolean not null default false,
  created_at timestamptz not null default now()
);
create type public.message_role as enum ('system', 'user', 'assistant', 'tool');
create table public.messages (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  role public.message_role not null,
  content text,
  tool_calls jsonb,
  tokens int check (tokens >= 0),
  parent_id bigint references public.messages (id),
  constraint content_or_tools check (content is not null or tool_calls is not null)
);
create index on public.messages (conversation_id, id);
create view public.usage_by_day with (security_invoker = true) as
  select c.user_id, sum(m.tokens) as tokens, count(*) filter (where m.role = 'user') as prompts
  from public.messages m join public.conversations c on c.id = m.conversation_id
  group by c.user_id;
create function public.title_from_first_message() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.role = 'user' then
    update conversations set title = left(regexp_replace(new.content, '\s+', ' ', 'g'), 40)
    where id = new.conversation_id and title is null;
  end if;
  return null;
end $$;
create trigger title after insert on public.messages for each row execute function public.title_from_first_message();
alter table public.conversations enable row level security;
alter table public.messages enable row level security;
create policy c on public.conversations for all to authenticated using (user_id = (select auth.uid()));
create policy m on public.messages for all to authenticated
  using (conversation_id in (select id from public.conversations where user_id = (select auth.uid())));
-- sign up 1 ada@example.com
-- expect as user 1: POST /conversations?select=title {"id":"c0000000-0000-4000-8000-000000000000"} => 201 [{"title":null}]
-- expect as user 1: POST /messages?select=role [{"conversation_id":"c0000000-0000-4000-8000-000000000000","role":"user","content":"How  do\nI bake?","tokens":5},{"conversation_id":"c0000000-0000-4000-8000-000000000000","role":"assistant","content":"Heat.","tokens":2}] => 201
--     [{"role":"user"},{"role":"assistant"}]
-- expect as user 1: GET /conversations?select=title,messages(role,content)&messages.order=id.desc&messages.limit=1 => 200 [{"title":"How do I bake?","messages":[{"role":"assistant","content":"Heat."}]}]
-- expect as user 1: GET /usage_by_day?select=tokens,prompts => 200 [{"tokens":7,"prompts":1}]
-- expect as user 2: GET /messages => 200 []
-- expect as user 1: POST /messages {"conversation_id":"c0000000-0000-4000-8000-000000000000","role":"tool"} => 400
