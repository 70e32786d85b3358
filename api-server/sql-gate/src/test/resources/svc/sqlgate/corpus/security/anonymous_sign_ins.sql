create table drafts (id int generated always as identity primary key, user_id uuid not null default auth.uid(), body text, published boolean default false);
alter table drafts enable row level security;
create policy "everyone signed in drafts" on drafts for all to authenticated using (user_id = auth.uid()) with check (user_id = auth.uid());
create policy "only permanent users publish" on drafts as restrictive for update to authenticated
  with check (not published or (select (auth.jwt() ->> 'is_anonymous')::boolean) is false);
create policy "published" on drafts for select to anon using (published);
-- expect as user 1: POST /drafts?select=id {"body":"x"} => 201 [{"id":1}]
-- expect as user 1: PATCH /drafts?id=eq.1 {"published":true} => 403
-- expect as user 1: PATCH /drafts?id=eq.1&select=body {"body":"y"} => 200 [{"body":"y"}]
-- expect as anon: GET /drafts => 200 []
