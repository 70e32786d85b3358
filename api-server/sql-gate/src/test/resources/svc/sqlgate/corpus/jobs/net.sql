-- Requests of pg_net from triggers and jobs, and the trigger of a database webhook
create extension if not exists pg_net with schema extensions;
create extension if not exists pg_cron;
create table orders (id int primary key, note text);
alter table orders enable row level security;
create function tell() returns trigger language plpgsql security definer set search_path = '' as $$
declare request_id bigint;
begin
  select net.http_post(
    url := 'https://example.com/functions/v1/orders',
    headers := jsonb_build_object('Content-Type', 'application/json', 'Authorization', 'Bearer key'),
    body := jsonb_build_object('id', new.id)
  ) into request_id;
  return new;
end $$;
create trigger tell after insert on orders for each row execute function tell();
create trigger "hook" after insert or update on "public"."orders" for each row
  execute function "supabase_functions"."http_request"('https://example.com/hook', 'POST', '{"Content-type":"application/json"}', '{}', '1000');
select cron.schedule('invoke', '0 * * * *', $$
  select net.http_get('https://example.com/ping', timeout_milliseconds := 1000) as request_id;
$$);
insert into orders values (1, 'first');
-- expect: select count(*) from pg_extension where extname in ('pg_net', 'pg_cron') => 2
-- expect: select count(*) from cron.job where jobname = 'invoke' => 1
