-- The kit of custom claims: an administrator writes raw_app_meta_data through functions
create or replace function is_claims_admin() returns boolean language plpgsql as $$
begin
  if session_user = 'authenticator' then
    return coalesce((current_setting('request.jwt.claims', true)::jsonb) -> 'app_metadata' ->> 'claims_admin', 'false')::bool;
  end if;
  return true;
end $$;
create or replace function set_claim(uid uuid, claim text, value jsonb) returns text
language plpgsql security definer set search_path = public as $$
begin
  if not is_claims_admin() then
    return 'error: access denied';
  end if;
  update auth.users
  set raw_app_meta_data = coalesce(raw_app_meta_data, '{}'::jsonb) || json_build_object(claim, value)::jsonb
  where id = uid;
  return 'OK';
end $$;
create or replace function get_claim(uid uuid, claim text) returns jsonb
language sql security definer set search_path = public as $$
  select coalesce(raw_app_meta_data -> claim, null) from auth.users where id = uid;
$$;
create or replace function delete_claim(uid uuid, claim text) returns text
language plpgsql security definer set search_path = public as $$
begin
  update auth.users set raw_app_meta_data = raw_app_meta_data - claim where id = uid;
  return 'OK';
end $$;
-- sign up 1 ada@example.com
-- expect: select set_claim('00000000-0000-4000-8000-000000000001', 'userrole', '"MANAGER"') => "OK"
-- expect: select get_claim('00000000-0000-4000-8000-000000000001', 'userrole') => "MANAGER"
-- expect: select raw_app_meta_data from auth.users => [{"raw_app_meta_data":{"provider":"email","userrole":"MANAGER"}}]
select delete_claim('00000000-0000-4000-8000-000000000001', 'userrole');
-- expect: select get_claim('00000000-0000-4000-8000-000000000001', 'userrole') => null
-- expect: update auth.users set role = 'service_role' => error 23514
