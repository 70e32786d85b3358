create or replace function public.divide(a numeric, b numeric) returns numeric language plpgsql immutable as $$
begin
  return a / b;
exception when division_by_zero then
  raise sqlstate 'PT422' using message = 'b is zero', detail = 'There is no such number.', hint = 'Send another b.';
end $$;
create function public.teapot() returns void language plpgsql as $$ begin raise 'short and stout' using errcode = 'PT418'; end $$;
create function public.not_found() returns void language plpgsql as $$ begin raise exception no_data_found; end $$;
create function public.whoami() returns json language sql stable as $$
  select json_build_object('uid', auth.uid(), 'role', auth.role(), 'claim', auth.jwt() ->> 'sub')
$$;
-- expect as anon: POST /rpc/divide {"a":6,"b":3} => 200 2.0000000000000000
-- expect as anon: POST /rpc/divide {"a":1,"b":0} => 422
-- expect as anon: POST /rpc/teapot {} => 418
-- expect as user 1: POST /rpc/whoami {} => 200 {"uid":"00000000-0000-4000-8000-000000000001","role":"authenticated","claim":"00000000-0000-4000-8000-000000000001"}
-- expect: select divide(1, 0) => error PT422
