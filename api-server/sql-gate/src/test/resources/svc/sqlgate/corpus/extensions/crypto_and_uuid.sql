create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create table vault_items (id uuid primary key default extensions.uuid_generate_v4(), name text not null, secret bytea not null, pin text not null);
create function put_secret(p_name text, p_secret text, p_key text, p_pin text) returns uuid language sql security definer set search_path = public, extensions as $$
  insert into vault_items (name, secret, pin) values (p_name, pgp_sym_encrypt(p_secret, p_key), crypt(p_pin, gen_salt('bf', 4))) returning id
$$;
create function get_secret(p_name text, p_key text, p_pin text) returns text language sql stable security definer set search_path = public, extensions as $$
  select pgp_sym_decrypt(secret, p_key) from vault_items where name = p_name and pin = crypt(p_pin, pin)
$$;
alter table vault_items enable row level security;
select put_secret('wifi', 'hunter2', 'key', '1234') is not null;
-- expect: select get_secret('wifi', 'key', '1234') => "hunter2"
-- expect: select get_secret('wifi', 'key', '0000') => null
-- expect: select encode(digest('abc', 'sha256'), 'hex') like 'ba7816bf%' as d, encode(hmac('a', 'k', 'sha1'), 'hex') ~ '^[0-9a-f]{40}$' as h, length(gen_random_bytes(8)) as l => [{"d":true,"h":true,"l":8}]
-- expect: select uuid_generate_v5(uuid_ns_dns(), 'example.com') => "cfbff0d1-9375-5685-968c-48ce8b15ae17"
-- expect: select extensions.uuid_generate_v1() <> gen_random_uuid() => true
-- expect as anon: GET /vault_items => 200 []
