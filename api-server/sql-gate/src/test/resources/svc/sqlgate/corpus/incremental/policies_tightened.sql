create table docs (id int primary key, owner uuid default auth.uid(), body text);
insert into docs (id, owner, body) values (1, '00000000-0000-4000-8000-000000000001', 'mine');
-- expect as anon: GET /docs?select=id => 200 [{"id":1}]
alter table docs enable row level security;
-- expect as anon: GET /docs => 200 []
create policy docs_select on docs for select to authenticated using (true);
-- expect as user 2: GET /docs?select=id => 200 [{"id":1}]
alter policy docs_select on docs rename to "docs: select own";
alter policy "docs: select own" on docs to authenticated using ((select auth.uid()) = owner);
-- expect as user 2: GET /docs?select=id => 200 []
-- expect as user 1: GET /docs?select=id => 200 [{"id":1}]
drop policy "docs: select own" on docs;
create policy via_function on docs using (owner = auth.uid() and body is not null);
-- expect as user 1: PATCH /docs?id=eq.1&select=body {"body":"changed"} => 200 [{"body":"changed"}]
-- expect as user 1: PATCH /docs?id=eq.1 {"body":null} => 403
alter table docs disable row level security;
revoke all on docs from anon, authenticated;
-- expect as user 1: GET /docs => 403
