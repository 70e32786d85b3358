-- Secrets in Supabase's vault: written by a migration, read by a trigger's function, closed to callers of the API
create extension if not exists "supabase_vault" with schema "vault";
select vault.create_secret('https://example.com/hook', 'hook_url', 'Where changes are sent');
do $$
declare id uuid;
begin
  select s.id into id from vault.decrypted_secrets s where s.name = 'hook_url';
  perform vault.update_secret(id, 'https://example.com/hook/2');
  perform vault.create_secret('to be deleted', 'old');
  perform vault.delete_secret(s.id) from vault.secrets s where s.name = 'old';
end $$;
create function hook_url() returns text language sql security definer set search_path = '' as $$
  select decrypted_secret from vault.decrypted_secrets where name = 'hook_url'
$$;
create function all_secrets() returns setof text language sql security invoker as $$
  select decrypted_secret from vault.decrypted_secrets
$$;
-- expect: select name, description, decrypted_secret from vault.decrypted_secrets => [{"name":"hook_url","description":"Where changes are sent","decrypted_secret":"https://example.com/hook/2"}]
-- expect: select count(*) from vault.secrets where secret like '%example%' => 0
-- expect: select count(*) from pg_extension where extname = 'supabase_vault' => 1
-- expect as anon: POST /rpc/hook_url {} => 200 "https://example.com/hook/2"
-- expect as anon: POST /rpc/all_secrets {} => 200 []
-- expect as service: POST /rpc/all_secrets {} => 200 ["https://example.com/hook/2"]
