create table public.reports (id int primary key, region text, level int default 0);
insert into public.reports values (1, 'north', 0), (2, 'south', 5);
alter table public.reports enable row level security;
create policy "by role claim" on public.reports for select using (auth.jwt() ->> 'role' = 'authenticated' and level = 0);
create policy "service only" on public.reports for all to service_role using (true) with check (true);
create policy "mfa for writes" on public.reports as restrictive for update to authenticated using ((auth.jwt() ->> 'aal') = 'aal2');
create policy "writes" on public.reports for update to authenticated using (auth.role() = 'authenticated');
create policy "email domain" on public.reports for insert to authenticated with check (coalesce(auth.email(), auth.jwt() ->> 'email') like '%@corp.example');
create policy "setting" on public.reports for delete using (current_setting('request.jwt.claims', true)::json ->> 'sub' = '00000000-0000-4000-8000-000000000009');
-- expect as user 1: GET /reports?select=id => 200 [{"id":1}]
-- expect as anon: GET /reports => 200 []
-- expect as service: GET /reports?select=id&order=id => 200 [{"id":1},{"id":2}]
-- expect as user 1: PATCH /reports?id=eq.1 {"region":"x"} => 200 []
-- expect as user 1: POST /reports {"id":3} => 403
-- expect as user 9: DELETE /reports?id=eq.1&select=id => 200 [{"id":1}]
