-- A seed that makes users by SQL: they come from the auth service
insert into auth.users (id, email) values (gen_random_uuid(), 'a@b.c');
-- refused: sql_forbidden_object, hint "/auth/v1"
alter table auth.users add column nickname text;
-- refused: sql_forbidden_statement, hint "Keep your own data in a table that refers to it"
create function delete_me() returns void language sql security definer set search_path = '' as
  'delete from auth.users where id = auth.uid()';
-- refused: sql_forbidden_object, hint "/auth/v1"
delete from storage.objects where bucket_id = 'avatars';
-- refused: sql_forbidden_object, hint "/storage/v1"
-- expect: select count(*) from auth.users => 0
