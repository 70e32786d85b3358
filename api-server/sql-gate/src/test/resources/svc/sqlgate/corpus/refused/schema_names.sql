create schema "My App";
-- refused: sql_forbidden_object, hint "a to z, digits and underscores"
create schema a_name_of_more_than_24_characters;
-- refused: sql_forbidden_object, hint "1 to 24 characters"
create schema vault;
-- refused: sql_forbidden_statement, hint "IF NOT EXISTS"
create schema app create table t (id int);
grant usage on schema app to public;
-- refused: sql_forbidden_statement, hint "Name the roles"
create schema app create table t (id int);
grant create on schema app to authenticated;
-- refused: sql_forbidden_statement, hint "Only the owner"
create schema my_app;
create table my_app.t (id int);
grant usage on schema my_app to anon, authenticated, service_role;
-- expect: select count(*) from my_app.t => 0
revoke all on schema public from anon, authenticated;
-- refused: sql_forbidden_statement, hint "ALL TABLES IN SCHEMA public FROM anon"
revoke all on all tables in schema public from anon;
revoke all on all functions in schema public from anon;
alter default privileges in schema public revoke all on tables from anon;
create table closed_to_anon (id int primary key);
-- expect as anon: GET /closed_to_anon => 401
