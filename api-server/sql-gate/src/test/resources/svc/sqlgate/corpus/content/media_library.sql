create type media_kind as enum ('image', 'video', 'audio');
create table media (
  id uuid primary key default extensions.uuid_generate_v4(),
  kind media_kind not null,
  object_id uuid references storage.objects (id) on delete set null,
  path text not null,
  meta jsonb not null default '{}'::jsonb,
  width int generated always as ((meta ->> 'width')::int) stored,
  height int generated always as ((meta ->> 'height')::int) stored,
  bytes bigint check (bytes > 0)
);
create index on media ((meta ->> 'camera'));
create index on media using brin (bytes);
create index on media using hash (path);

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('media', 'media', true, 5242880, array['image/png', 'image/jpeg'])
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit;

create policy "media is public" on storage.objects for select to public using (bucket_id = 'media');
create policy "editors upload" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid()::text) and lower(storage.extension(name)) = 'png');

insert into media (kind, path, meta, bytes) values ('image', 'a.png', '{"width": 800, "height": 600, "camera": "X1"}', 1234);
alter type media_kind add value if not exists 'document' after 'audio';
-- expect: select width, height from media => [{"width":800,"height":600}]
-- expect: select enum_range(null::media_kind)::text => "{image,video,audio,document}"
-- expect: select public, file_size_limit from storage.buckets => [{"public":true,"file_size_limit":5242880}]
-- expect: insert into media (kind, path) values ('document', 'x.pdf') returning kind => "document"
-- expect: select count(*) from pg_policies where tablename = 'objects' and policyname in ('media is public', 'editors upload') => 2
