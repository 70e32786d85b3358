create extension if not exists pgcrypto with schema extensions;

create table public.api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  label text not null,
  prefix text not null,
  hash bytea not null unique,
  last_used_at timestamptz,
  revoked_at timestamptz
);
alter table public.api_keys enable row level security;
create policy "owner reads" on public.api_keys for select to authenticated using (user_id = (select auth.uid()));
revoke select on public.api_keys from authenticated, anon;
grant select (id, label, prefix, last_used_at, revoked_at) on public.api_keys to authenticated;

create or replace function public.create_api_key(label text, out id uuid, out secret text)
language plpgsql security definer set search_path = public, extensions as $$
begin
  secret := 'sk_' || encode(gen_random_bytes(24), 'hex');
  insert into api_keys (user_id, label, prefix, hash)
  values (auth.uid(), create_api_key.label, left(secret, 7), digest(secret, 'sha256'))
  returning api_keys.id into create_api_key.id;
end $$;

create or replace function public.verify_api_key(secret text) returns uuid
language sql security definer set search_path = public, extensions as $$
  update api_keys set last_used_at = now()
  where hash = digest(secret, 'sha256') and revoked_at is null
  returning user_id
$$;
revoke all on function public.verify_api_key(text) from public, anon, authenticated;
grant execute on function public.verify_api_key(text) to service_role;
-- sign up 1 ada@example.com
insert into public.api_keys (user_id, label, prefix, hash)
values ('00000000-0000-4000-8000-000000000001', 'ci', 'sk_test', extensions.digest('sk_test', 'sha256'));
-- expect as user 1: GET /api_keys?select=label,prefix => 200 [{"label":"ci","prefix":"sk_test"}]
-- expect as user 1: GET /api_keys?select=hash => 403
-- expect as user 1: POST /rpc/verify_api_key {"secret":"sk_test"} => 403
-- expect as service: POST /rpc/verify_api_key {"secret":"sk_test"} => 200 "00000000-0000-4000-8000-000000000001"
-- expect as user 1: POST /rpc/create_api_key {"label":"x"} => 200
-- expect: select bool_or(last_used_at is not null) from api_keys => true
