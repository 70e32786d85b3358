-- Settings that migrations give to roles and to the database hold for requests.
alter role authenticated set statement_timeout = '4321ms';
alter role anon set statement_timeout = '1234ms';
alter role anon set lock_timeout = 777;
alter database postgres set "app.settings.site" = 'https://example.com';
alter role authenticated set app.plan to 'pro';
create function public.seen() returns text language sql as $$
  select concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
    current_setting('app.settings.site', true), nullif(current_setting('app.plan', true), ''))
$$;
-- expect as anon: POST /rpc/seen {} => 200 "1234ms 777ms https://example.com"
-- expect: select current_setting('app.settings.site') => "https://example.com"
alter role anon reset statement_timeout;
alter role anon set lock_timeout to default;
alter database postgres reset "app.settings.site";
-- expect: select current_setting('app.settings.site', true) is null => true
