-- As dumps and older projects write extensions: in the schema public
create extension if not exists pg_trgm with schema public;
create extension if not exists citext with schema public;
create extension if not exists "uuid-ossp" with schema public;
create extension if not exists moddatetime schema public;
create table public.people (
  id uuid default public.uuid_generate_v4() not null,
  email public.citext not null,
  updated_at timestamptz not null default '2020-01-01'
) tablespace pg_default;
alter table only public.people add constraint people_pkey primary key (id);
create index people_email on public.people using gin (email public.gin_trgm_ops) tablespace pg_default;
create trigger touch before update on public.people for each row execute function public.moddatetime(updated_at);
create function public.similarity(public.citext) returns int language sql as 'select 7';
create function public.find(p_email public.citext) returns setof public.people language plpgsql as $$
declare wanted public.citext := p_email;
begin
  return query select * from public.people p where p.email = wanted;
end $$;
alter publication supabase_realtime owner to postgres;
revoke create on schema public from anon;
revoke all on database postgres from anon;
grant connect on database postgres to anon;
insert into public.people (email) values ('Ann@example.com');
reset all;
-- expect: select count(*) from find('ANN@EXAMPLE.COM') => 1
-- expect: select public.similarity('x'::public.citext) => 7
-- expect: update people set email = 'b@example.com' returning updated_at > '2020-01-02' => true
