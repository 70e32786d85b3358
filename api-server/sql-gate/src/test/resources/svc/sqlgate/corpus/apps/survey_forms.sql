create table forms (id uuid primary key default gen_random_uuid(), owner uuid default auth.uid(), schema jsonb not null, open boolean not null default true);
create table submissions (id bigint generated always as identity primary key, form_id uuid not null references forms on delete cascade, data jsonb not null, at timestamptz default now());
create function valid_submission() returns trigger language plpgsql security definer set search_path = public as $$
declare
  field record;
  form forms%rowtype;
begin
  select * into strict form from forms where id = new.form_id;
  if not form.open then raise exception 'form is closed' using errcode = '23514'; end if;
  for field in select * from jsonb_to_recordset(form.schema -> 'fields') as f(name text, type text, required boolean) loop
    if coalesce(field.required, false) and not new.data ? field.name then
      raise exception '% is required', field.name using errcode = '23502', column = field.name;
    end if;
    if new.data ? field.name and jsonb_typeof(new.data -> field.name) <> field.type then
      raise exception '% is no %', field.name, field.type using errcode = '22023';
    end if;
  end loop;
  return new;
end $$;
create trigger valid before insert or update on submissions for each row execute function valid_submission();
alter table forms enable row level security;
alter table submissions enable row level security;
create policy forms_open on forms for select using (open or owner = auth.uid());
create policy forms_own on forms for all to authenticated using (owner = auth.uid());
create policy submit on submissions for insert with check (exists (select from forms where id = form_id and open));
create policy read_own on submissions for select to authenticated using (exists (select from forms f where f.id = form_id and f.owner = auth.uid()));
insert into forms values ('f0000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001', '{"fields": [{"name": "email", "type": "string", "required": true}, {"name": "age", "type": "number"}]}');
-- expect as user 1: POST /submissions?select=data {"form_id":"f0000000-0000-4000-8000-000000000000","data":{"email":"x","age":3}} => 201 [{"data":{"email":"x","age":3}}]
-- expect as user 1: POST /submissions {"form_id":"f0000000-0000-4000-8000-000000000000","data":{}} => 400
-- expect as user 2: GET /submissions => 200 []
-- expect as user 1: GET /submissions?select=data->>email => 200 [{"email":"x"}]
-- expect: update forms set open = false returning open => false
-- expect as user 1: POST /submissions {"form_id":"f0000000-0000-4000-8000-000000000000","data":{"email":"y"}} => 400
