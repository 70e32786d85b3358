create schema private;
create table private.secrets (id int);
-- refused: sql_forbidden_statement, hint "A project has one schema"
create table if not exists secrets (id int);
alter table secrets enable row level security;
revoke all on secrets from anon, authenticated;
-- expect as anon: GET /secrets => 401
