-- What dumps and older tools write beside their objects.
create extension if not exists pg_graphql with schema graphql;
create extension if not exists pg_stat_statements with schema extensions;
comment on extension pg_graphql is 'pg_graphql: GraphQL support';
drop extension if exists pg_net;
drop extension if exists "pg_cron", pgjwt cascade;
set session_replication_role = default;
reset session_replication_role;
set session_replication_role = origin;
revoke create on schema public from public;
revoke all on database postgres from public;
reset all;
create table public.notes (id int primary key, body text) tablespace pg_default;
alter publication supabase_realtime owner to postgres;

create function public.remember(n text, v text) returns text language plpgsql as $$
begin
    perform set_config('app.' || n, v, true);
    perform set_config(format('app.%s_2', n), v || v, true);
    perform set_config(concat('request.', n), v, true);
    return current_setting('app.' || n) || current_setting('app.' || n || '_2') || current_setting('request.' || n);
end $$;

select set_config('app.' || 'one', 'x', false);

create view public.slow as select query, calls, mean_exec_time from extensions.pg_stat_statements order by mean_exec_time desc;
-- expect: select count(*) from public.slow => 0
-- expect: select count(*) from pg_stat_statements where total_exec_time > 1 => 0
-- expect: select public.remember('k', 'a') => "aaaa"
-- expect: select count(*) from public.notes => 0
