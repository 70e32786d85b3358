insert into storage.buckets (id, name, public) values ('docs', 'docs', false) on conflict (id) do nothing;
insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true)
on conflict (id) do update set public = true;
do $$
begin
  if not exists (select 1 from pg_policies where schemaname = 'storage' and tablename = 'objects' and policyname = 'docs: own folder') then
    create policy "docs: own folder" on storage.objects for all to authenticated
      using (bucket_id = 'docs' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'docs' and (storage.foldername(name))[1] = auth.uid()::text);
  end if;
end $$;
drop policy if exists "avatars are public" on storage.objects;
create policy "avatars are public" on storage.objects for select using (bucket_id = 'avatars');
do $$ begin
  create policy "upload an avatar" on storage.objects for insert to authenticated with check (bucket_id = 'avatars');
exception when duplicate_object then null;
end $$;
-- run again
-- expect: select policyname, cmd from pg_policies where schemaname = 'storage' and tablename = 'objects' and policyname not like 'svc%' order by 1 => [
--     {"policyname":"avatars are public","cmd":"SELECT"},{"policyname":"docs: own folder","cmd":"ALL"},{"policyname":"upload an avatar","cmd":"INSERT"}]
-- expect: select id, public from storage.buckets order by id => [{"id":"avatars","public":true},{"id":"docs","public":false}]
