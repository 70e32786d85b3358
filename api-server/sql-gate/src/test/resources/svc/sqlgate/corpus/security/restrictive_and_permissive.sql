create table files (id int primary key, owner uuid, shared boolean default false, quarantined boolean default false, size int);
insert into files values (1, '00000000-0000-4000-8000-000000000001', false, false, 5), (2, '00000000-0000-4000-8000-000000000001', true, false, 5), (3, '00000000-0000-4000-8000-000000000001', true, true, 5);
alter table files enable row level security;
create policy p_own on files as permissive for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
create policy p_shared on files for select to public using (shared);
create policy r_clean on files as restrictive for select to public using (not quarantined);
create policy r_size on files as restrictive for insert to authenticated with check (size <= 10);
-- expect as anon: GET /files?select=id => 200 [{"id":2}]
-- expect as user 1: GET /files?select=id&order=id => 200 [{"id":1},{"id":2}]
-- expect as user 1: POST /files {"id":4,"owner":"00000000-0000-4000-8000-000000000001","size":11} => 403
-- expect as user 1: POST /files?select=id {"id":5,"owner":"00000000-0000-4000-8000-000000000001","size":9} => 201 [{"id":5}]
-- expect: select count(*) from pg_policies where tablename = 'files' and permissive = 'RESTRICTIVE' => 2
