-- Append-only by rules: the platform offers triggers for it
create table events (id int primary key, what text);
create rule events_no_delete as on delete to events do instead nothing;
-- refused: sql_forbidden_statement, hint "trigger"
create table events (id int primary key, what text);
create function append_only() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger append_only before update or delete on events for each row execute function append_only();
insert into events values (1, 'a');
delete from events;
-- expect: select count(*) from events => 1
