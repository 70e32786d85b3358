-- Policies are tried in SQL, as a database test does it
create table public.notes (id int primary key, owner uuid not null default auth.uid(), body text);
alter table public.notes enable row level security;
create policy "own notes" on public.notes for all to authenticated
using (owner = auth.uid()) with check (owner = auth.uid());
insert into public.notes (id, owner, body) values
  (1, '00000000-0000-4000-8000-000000000001', 'one'),
  (2, '00000000-0000-4000-8000-000000000002', 'two');

create function public.act_as(user_id uuid) returns void language plpgsql as $$
begin
  perform set_config('role', 'authenticated', true);
  perform set_config('request.jwt.claims', json_build_object('sub', user_id, 'role', 'authenticated')::text, true);
end $$;

-- A test of a policy that fails the migration if the policy is wrong.
do $$
declare
  seen int;
begin
  set local role authenticated;
  perform set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-000000000001"}', true);
  select count(*) into seen from public.notes;
  if seen <> 1 then raise exception 'saw % notes', seen; end if;
  begin
    insert into public.notes (id, owner) values (3, '00000000-0000-4000-8000-000000000002');
    raise exception 'wrote a note of another user';
  exception when insufficient_privilege then null;
  end;
  reset role;
end $$;

begin;
set local role anon;
select count(*) from public.notes;
commit;
-- Behind the COMMIT the script is the owner again.
insert into public.notes (id, owner, body) values (4, '00000000-0000-4000-8000-000000000001', 'four');
alter table public.notes add column done boolean not null default false;
-- expect: set local role anon; select count(*) from notes => 0
-- expect: set local role authenticated; set local "request.jwt.claims" to '{"sub": "00000000-0000-4000-8000-000000000002"}'; select body from notes => "two"
-- expect: set local role authenticated; set request.jwt.claim.sub = '00000000-0000-4000-8000-000000000002'; select current_setting('request.jwt.claim.sub') => "00000000-0000-4000-8000-000000000002"
-- expect: select act_as('00000000-0000-4000-8000-000000000001'); select id from notes order by id => [{"id":1},{"id":4}]
-- expect: set role anon; reset role; select count(*) from notes => 3
-- expect: set role postgres; select current_user = 'postgres' as same => true
-- expect: set local role authenticated; insert into notes (id, owner) values (9, '00000000-0000-4000-8000-000000000009') => error 42501
-- expect: set local role anon; create table t (a int) => error 42501
-- expect as user 1: GET /notes?select=id => 200 [{"id":1},{"id":4}]
