-- A public guest book: anyone may read and write, no role may change
create table public.guestbook (
    id int8 generated always as identity primary key,
    name varchar(80) not null,
    message text not null check (length(trim(message)) between 1 and 500),
    created_at timestamptz not null default now()
);
alter table guestbook enable row level security;
create policy "read" on guestbook for select to anon, authenticated using (true);
create policy "write" on guestbook for insert to anon, authenticated with check (true);
revoke update, delete, truncate on guestbook from anon, authenticated;
grant select, insert on guestbook to anon, authenticated;
-- expect as anon: POST /guestbook?select=id,name,message {"name":"Eve","message":"hello"} => 201 [{"id":1,"name":"Eve","message":"hello"}]
-- expect as anon: GET /guestbook?select=name => 200 [{"name":"Eve"}]
-- expect as anon: DELETE /guestbook?id=eq.1 => 401
-- expect as anon: POST /guestbook {"name":"Eve","message":"  "} => 400
-- expect: select has_table_privilege('anon', 'public.guestbook', 'INSERT') as i, has_table_privilege('anon', 'public.guestbook', 'UPDATE') as u => [{"i":true,"u":false}]
