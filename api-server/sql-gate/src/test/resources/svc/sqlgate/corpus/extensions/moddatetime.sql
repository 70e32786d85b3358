-- updated_at by the extension, as the guides write it
create extension if not exists moddatetime schema extensions;

create table public.notes (
  id bigint generated always as identity primary key,
  body text not null,
  updated_at timestamptz not null default '2001-01-01'
);

create trigger handle_updated_at before update on public.notes
  for each row execute procedure moddatetime (updated_at);
create trigger handle_updated_at_again before update on public.notes
  for each row execute function extensions.moddatetime (updated_at);

insert into public.notes (body) values ('first');
-- expect: select updated_at = '2001-01-01' from notes => true
-- next call
update public.notes set body = 'second';
-- expect: select updated_at > now() - interval '1 hour' from notes => true
