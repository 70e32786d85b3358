-- Each user's todos: row security keeps users from the todos of others.
create table public.todos (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users on delete cascade,
  title text not null check (length(title) between 1 and 200),
  done boolean not null default false
);

create index todos_owner on public.todos (owner);

alter table public.todos enable row level security;

create policy "own todos" on public.todos for all to authenticated
  using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
