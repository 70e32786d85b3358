-- The documented policies on the assurance level, one of them for users who have enrolled
create table public.secrets (id int primary key, body text);
alter table public.secrets enable row level security;
create policy "Everybody signed in" on public.secrets for select to authenticated using (true);
create policy "Policy name."
  on public.secrets
  as restrictive
  to authenticated
  using (
    array[(select auth.jwt()->>'aal')] <@ (
      select
          case
            when count(id) > 0 then array['aal2']
            else array['aal1', 'aal2']
          end as aal
        from auth.mfa_factors
        where ((select auth.uid()) = user_id) and status = 'verified'
    ));
insert into public.secrets values (1, 'x');
-- sign up 1 ada@example.com
-- expect as anon: GET /secrets => 200 []
-- expect: select count(*) from auth.mfa_factors where status = 'verified' => 0
