-- What stays the services' own: the shape of their tables, and rows of files
alter table auth.users add column nickname text;
-- refused: sql_forbidden_statement, hint "Keep your own data in a table that refers to it"
delete from storage.objects where bucket_id = 'avatars';
-- refused: sql_forbidden_object, hint "/storage/v1"
-- expect: select count(*) from auth.users => 0
