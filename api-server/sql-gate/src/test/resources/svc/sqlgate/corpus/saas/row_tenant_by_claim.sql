-- Tenant id comes from the token's app_metadata
create table public.tenants (id uuid primary key, name text not null);
create table public.documents (
  id bigint generated always as identity,
  tenant_id uuid not null default ((auth.jwt() -> 'app_metadata' ->> 'tenant_id')::uuid) references public.tenants,
  body text,
  primary key (tenant_id, id)
);
create or replace function public.tenant_id() returns uuid
language sql stable as $$ select nullif(auth.jwt() #>> '{app_metadata,tenant_id}', '')::uuid $$;

alter table public.documents enable row level security;
alter table public.documents force row level security;
create policy tenant_isolation on public.documents as restrictive for all to authenticated
  using (tenant_id = (select public.tenant_id()));
create policy everybody on public.documents for all to authenticated using (true) with check (true);

insert into public.tenants values ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 'A'), ('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'B');
-- expect as user 1: GET /documents => 200 []
-- expect as user 1: POST /documents {"body":"x"} => 403
-- expect: select set_config('request.jwt.claims', '{"app_metadata": {"tenant_id": "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"}}', true) is not null => true
-- expect: select relforcerowsecurity from pg_class where oid = 'public.documents'::regclass => true
-- expect: select permissive, cmd from pg_policies where policyname = 'tenant_isolation' => [{"permissive":"RESTRICTIVE","cmd":"ALL"}]
