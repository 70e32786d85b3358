-- Soft delete with an archive view and a restore function
alter default privileges in schema public grant select on tables to anon;
create table documents (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  deleted_at timestamptz
);
create unique index documents_live_name on documents (name) where deleted_at is null;
create view live_documents as select id, name from documents where deleted_at is null with cascaded check option;

create function soft_delete() returns trigger language plpgsql as $$
begin
  update documents set deleted_at = now() where id = old.id and deleted_at is null;
  return old;
end $$;
create trigger soft_delete instead of delete on live_documents for each row execute function soft_delete();
create or replace function restore_document(doc_name text) returns boolean language plpgsql as $$
begin
  update documents set deleted_at = null
  where id = (select id from documents where name = doc_name and deleted_at is not null order by deleted_at desc limit 1);
  return found;
end $$;
insert into live_documents (name) values ('plan'), ('budget');
delete from live_documents where name = 'plan';
-- expect: select name from live_documents => "budget"
-- expect: select count(*) from documents => 2
-- expect: insert into live_documents (name) values ('plan') returning name => "plan"
-- expect: select restore_document('plan') => error 23505
-- expect as service: DELETE /live_documents?name=eq.budget => 200
-- expect: select restore_document('budget') => true
