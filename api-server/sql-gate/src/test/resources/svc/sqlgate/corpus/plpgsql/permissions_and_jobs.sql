-- Bodies that applications have around permissions, queues, quotas, tokens and maintenance
create type public.app_role as enum ('admin', 'moderator', 'member');
create type permission as enum ('read', 'write', 'delete');
create type job_state as enum ('waiting', 'running', 'done', 'dead');
create domain token_text as text check (value ~ '^[0-9a-f]{8,}$');
create table role_permissions (role app_role, permission permission, primary key (role, permission));
create table user_roles (user_id uuid, role app_role not null default 'member', granted_at timestamptz default now(), primary key (user_id, role));
create table queue (id int generated always as identity primary key, state job_state not null default 'waiting', payload jsonb not null, tries int not null default 0, run_after timestamptz not null default '2000-01-01');
create table quotas (user_id uuid primary key, used int not null default 0, allowed int not null);
create table invitations (token token_text primary key, role app_role not null, used_by uuid);
insert into role_permissions values ('admin', 'read'), ('admin', 'write'), ('admin', 'delete'), ('moderator', 'read'), ('moderator', 'write'), ('member', 'read');
insert into user_roles (user_id, role) values ('00000000-0000-4000-8000-000000000001', 'admin'), ('00000000-0000-4000-8000-000000000002', 'moderator');
insert into quotas values ('00000000-0000-4000-8000-000000000001', 8, 10);
insert into queue (payload) values ('{"n": 1}'), ('{"n": 2}'), ('{"fail": true}');
insert into invitations values ('deadbeef', 'moderator', null);

create function authorize(p_user uuid, p_permission permission) returns boolean language plpgsql stable security definer set search_path = '' as $$
declare v_count int; v_role public.app_role;
begin
  select count(*), max(r.role) into v_count, v_role
  from public.user_roles u join public.role_permissions r on r.role = u.role
  where u.user_id = p_user and r.permission = p_permission;
  return v_count > 0;
end $$;

create function role_of(p_user uuid) returns app_role language plpgsql stable as $$
declare v app_role; since timestamptz;
begin
  select role, granted_at into v, since from user_roles where user_id = p_user order by role limit 1;
  return coalesce(v, 'member');
end $$;

create function permissions_of(p_user uuid) returns permission[] language plpgsql stable as $$
declare p permission; all_ permission[] := '{}';
begin
  foreach p in array enum_range(null::permission) loop
    if authorize(p_user, p) then all_ := all_ || p; end if;
  end loop;
  return all_;
end $$;

create function token_hook(event jsonb) returns jsonb language plpgsql stable as $$
declare claims jsonb; v_role app_role;
begin
  select event -> 'claims', role_of((event ->> 'user_id')::uuid) into claims, v_role;
  if v_role is null then claims := jsonb_set(claims, '{user_role}', 'null');
  else claims := jsonb_set(claims, '{user_role}', to_jsonb(v_role)); end if;
  return jsonb_set(event, '{claims}', claims);
end $$;

create function claim_job(out job queue.id%type, out body queue.payload%type) language plpgsql as $$
begin
  update queue set state = 'running', tries = tries + 1
  where id = (select q.id from queue q where q.state = 'waiting' and q.run_after <= now() order by q.id for update skip locked limit 1)
  returning id, payload into job, body;
end $$;

create function finish_job(p_id int, p_ok boolean) returns job_state language plpgsql as $$
declare v_state job_state; v_tries int;
begin
  select state, tries into strict v_state, v_tries from queue where id = p_id;
  if v_state <> 'running' then raise exception 'job % is %', p_id, v_state; end if;
  v_state := case when p_ok then 'done' when v_tries >= 2 then 'dead' else 'waiting' end;
  update queue set state = v_state where id = p_id;
  return v_state;
end $$;

create function work_off() returns jsonb language plpgsql as $$
declare j record; s job_state; counts jsonb := '{}';
begin
  loop
    select * into j from claim_job();
    exit when j.job is null;
    s := finish_job(j.job, not j.body ? 'fail');
    counts[s::text] := to_jsonb(coalesce((counts ->> s::text)::int, 0) + 1);
  end loop;
  return counts;
end $$;

create function consume(p_user uuid, p_n int default 1) returns table (left_ int, warn boolean) language plpgsql as $$
declare v_used quotas.used%type; v_allowed quotas.allowed%type;
begin
  update quotas set used = used + p_n where user_id = p_user and used + p_n <= allowed returning used, allowed into v_used, v_allowed;
  if not found then raise exception 'quota exceeded' using errcode = 'PT402', hint = 'upgrade'; end if;
  select v_allowed - v_used, v_used > v_allowed * 0.8 into left_, warn;
  return next;
end $$;

create function accept(p_token token_text, p_user uuid) returns app_role language plpgsql as $$
declare v_role invitations.role%type; v_used invitations.used_by%type;
begin
  select role, used_by into v_role, v_used from invitations where token = p_token for update;
  case
    when v_role is null then raise exception 'unknown invitation' using errcode = 'no_data_found';
    when v_used is not null then raise exception 'used already' using errcode = 'unique_violation';
    else
      update invitations set used_by = p_user where token = p_token;
      insert into user_roles (user_id, role) values (p_user, v_role) on conflict do nothing returning role into v_role;
  end case;
  return v_role;
end $$;

create function new_user_defaults() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_role public.app_role := 'member'; v_name text;
begin
  select coalesce(new.raw_user_meta_data ->> 'name', split_part(new.email, '@', 1)), (new.raw_user_meta_data ->> 'role')::public.app_role into v_name, v_role;
  insert into public.user_roles (user_id, role) values (new.id, coalesce(v_role, 'member'));
  insert into public.quotas (user_id, allowed) values (new.id, case v_role when 'admin' then 1000 else 10 end);
  return new;
exception when invalid_text_representation then
  insert into public.user_roles (user_id) values (new.id);
  return new;
end $$;
create trigger new_user_defaults after insert on auth.users for each row execute function new_user_defaults();

create function purge(p_keep interval, p_states job_state[] default '{done,dead}') returns int language plpgsql as $$
declare s job_state; n int; total int := 0;
begin
  foreach s in array p_states loop
    delete from queue where state = s and run_after < now() - p_keep;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  return total;
end $$;

create function rotate(p_old token_text) returns token_text language plpgsql as $$
declare v_new token_text; v_role app_role;
begin
  update invitations set token = md5(token) where token = p_old returning token, role into v_new, v_role;
  return left(v_new, 8);
end $$;
-- expect: select authorize('00000000-0000-4000-8000-000000000002', 'delete') a, permissions_of('00000000-0000-4000-8000-000000000002') b, role_of(gen_random_uuid()) c, token_hook('{"user_id": "00000000-0000-4000-8000-000000000001", "claims": {}}') -> 'claims' d => [{"a": false, "b": ["read", "write"], "c": "member", "d": {"user_role": "admin"}}]
-- expect: select work_off() => [{"work_off": {"done": 2, "dead": 1, "waiting": 1}}]
-- expect: select * from consume('00000000-0000-4000-8000-000000000001', 2) => [{"left_": 0, "warn": true}]
-- expect: select * from consume('00000000-0000-4000-8000-000000000001') => error PT402
-- expect: select accept('deadbeef', '00000000-0000-4000-8000-000000000003') a, purge('1 day') b => [{"a": "moderator", "b": 3}]
-- expect: select accept('deadbeef', gen_random_uuid()) => error 23505
-- expect: select rotate('deadbeef') => "4f412438"
