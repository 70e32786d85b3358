-- A hook that puts a role into the token
create table public.user_roles (user_id uuid primary key references auth.users on delete cascade, role text not null check (role in ('admin', 'user')));
alter table public.user_roles enable row level security;
create or replace function public.custom_access_token_hook(event jsonb)
returns jsonb
language plpgsql
stable
as $$
  declare
    claims jsonb;
    user_role text;
  begin
    select role into user_role from public.user_roles where user_id = (event->>'user_id')::uuid;
    claims := event->'claims';
    if user_role is not null then
      claims := jsonb_set(claims, '{user_role}', to_jsonb(user_role));
    else
      claims := jsonb_set(claims, '{user_role}', 'null');
    end if;
    event := jsonb_set(event, '{claims}', claims);
    return event;
  end;
$$;
grant usage on schema public to supabase_auth_admin;
grant execute on function public.custom_access_token_hook to supabase_auth_admin;
revoke execute on function public.custom_access_token_hook from authenticated, anon, public;
grant all on table public.user_roles to supabase_auth_admin;
revoke all on table public.user_roles from authenticated, anon, public;
create policy "Allow auth admin to read user roles" on public.user_roles as permissive for select to supabase_auth_admin using (true);
-- sign up 1 ada@example.com
insert into public.user_roles values ('00000000-0000-4000-8000-000000000001', 'admin');
-- expect: select custom_access_token_hook('{"user_id": "00000000-0000-4000-8000-000000000001", "claims": {"a": 1}}') #>> '{claims,user_role}' as r => "admin"
-- expect: select has_function_privilege('supabase_auth_admin', 'public.custom_access_token_hook(jsonb)', 'execute') as a, has_function_privilege('anon', 'public.custom_access_token_hook(jsonb)', 'execute') as b => [{"a":true,"b":false}]
-- expect: select has_table_privilege('supabase_auth_admin', 'public.user_roles', 'select') => true
-- expect as user 1: GET /user_roles => 403
