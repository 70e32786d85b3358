-- Buckets with limits and the usual four policies per folder
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('public-assets', 'public-assets', true, null, null),
  ('invoices', 'invoices', false, 10485760, '{application/pdf}');
update storage.buckets set file_size_limit = 1048576, updated_at = now() where id = 'public-assets';

create policy "Give users access to own folder 1ige2ga_0" on storage.objects for select to authenticated
  using (bucket_id = 'invoices' and (select auth.uid()::text) = (storage.foldername(name))[1]);
create policy "Give users access to own folder 1ige2ga_1" on storage.objects for insert to authenticated
  with check (bucket_id = 'invoices' and (select auth.uid()::text) = (storage.foldername(name))[1]);
create policy "Give users access to own folder 1ige2ga_2" on storage.objects for update to authenticated
  using (bucket_id = 'invoices' and owner_id = (select auth.uid()::text))
  with check (bucket_id = 'invoices' and storage.extension(name) = 'pdf');
create policy "Give users access to own folder 1ige2ga_3" on storage.objects for delete to authenticated
  using (bucket_id = 'invoices' and auth.uid() = owner);
create policy "Anyone reads assets" on storage.objects as permissive for select to anon, authenticated
  using (bucket_id = 'public-assets' and storage.filename(name) not like '.%' and lower((storage.foldername(name))[1]) <> 'private');
create policy "see buckets" on storage.buckets for select to public using (public or auth.role() = 'authenticated');
alter policy "Anyone reads assets" on storage.objects rename to "assets are public";
-- expect: select policyname, cmd from pg_policies where schemaname = 'storage' and tablename = 'objects' and policyname ~ '^(Give|assets)' order by policyname => [
--     {"policyname":"Give users access to own folder 1ige2ga_0","cmd":"SELECT"},
--     {"policyname":"Give users access to own folder 1ige2ga_1","cmd":"INSERT"},{"policyname":"Give users access to own folder 1ige2ga_2","cmd":"UPDATE"},
--     {"policyname":"Give users access to own folder 1ige2ga_3","cmd":"DELETE"},{"policyname":"assets are public","cmd":"SELECT"}]
-- expect: select id, file_size_limit, allowed_mime_types from storage.buckets order by id => [{"id":"invoices","file_size_limit":10485760,"allowed_mime_types":["application/pdf"]},{"id":"public-assets","file_size_limit":1048576,"allowed_mime_types":null}]
-- expect: select storage.foldername('a/b/c.png') as f, storage.filename('a/b/c.png') as n, storage.extension('a/b/c.png') as e => [{"f":["a","b"],"n":"c.png","e":"png"}]
delete from storage.buckets where id = 'invoices';
drop policy "assets are public" on storage.objects;
-- expect: select count(*) from pg_policies where tablename = 'objects' and policyname ~ '^(Give|assets)' => 4
