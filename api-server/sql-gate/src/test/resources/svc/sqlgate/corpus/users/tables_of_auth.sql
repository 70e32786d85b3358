-- What migrations and dashboards read of the auth service, in a project that has not used it
select u.email, i.provider, s.created_at, f.factor_type
from auth.users u
left join auth.identities i on i.user_id = u.id
left join auth.sessions s on s.user_id = u.id
left join auth.mfa_factors f on f.user_id = u.id;
create view public.last_seen with (security_invoker = true) as
  select user_id, max(updated_at) as at from auth.sessions group by user_id;
create function public.sign_out_everywhere(who uuid) returns void language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = who;
$$;
create function public.reset_factors(who uuid) returns void language sql security definer set search_path = '' as $$
  delete from auth.mfa_factors where user_id = who;
$$;
-- sign up 1 ada@example.com
insert into auth.identities (provider_id, user_id, identity_data, provider)
values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', '{"email": "Ada@example.com"}', 'email');
-- expect: select email from auth.identities => "ada@example.com"
-- expect: select count(*) from auth.mfa_amr_claims => 0
-- expect: select count(*) from auth.audit_log_entries => 0
-- expect: select secret from auth.mfa_factors => error 42501
-- expect: select token_hash from auth.one_time_tokens => error 42501
-- expect: insert into auth.sessions (id, user_id) values (gen_random_uuid(), gen_random_uuid()) => error 42501
-- expect: select count(*) from public.last_seen => 0
select public.sign_out_everywhere('00000000-0000-4000-8000-000000000001');
select public.reset_factors('00000000-0000-4000-8000-000000000001');
-- expect: select auth.uid() is null as r => true
-- expect: select auth.uid() => [{"uid":null}]
