-- supabase/seed.sql with users who can sign in
create table public.profiles (id uuid primary key references auth.users on delete cascade, full_name text);
create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, full_name) values (new.id, new.raw_user_meta_data ->> 'full_name');
  return new;
end $$;
create trigger on_auth_user_created after insert on auth.users for each row execute function public.handle_new_user();
INSERT INTO auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, recovery_sent_at, last_sign_in_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, email_change,
    email_change_token_new, recovery_token
) (
    select
        '00000000-0000-0000-0000-000000000000', ('00000000-0000-4000-8000-00000000000' || series.i)::uuid,
        'authenticated', 'authenticated', 'User' || series.i || '@Example.com',
        crypt('password123', gen_salt('bf')), current_timestamp, current_timestamp, current_timestamp,
        '{"provider":"email","providers":["email"]}', '{"full_name": "Somebody"}',
        current_timestamp, current_timestamp, '', '', '', ''
    from generate_series(1, 3) as series (i)
);
INSERT INTO auth.identities (
    id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at
) (
    select uuid_generate_v4(), id, id, format('{"sub":"%s","email":"%s"}', id::text, email)::jsonb, 'email',
        current_timestamp, current_timestamp, current_timestamp
    from auth.users
);
-- expect: select count(*) from public.profiles where full_name = 'Somebody' => 3
-- expect: select email from auth.users order by email limit 1 => "user1@example.com"
-- expect: select count(*) from auth.identities i join auth.users u on u.id = i.user_id and u.email = i.email => 3
-- expect: select encrypted_password = crypt('password123', encrypted_password) from auth.users limit 1 => true
-- expect: insert into auth.users (id, email) values (gen_random_uuid(), 'USER1@example.com') => error 23505
delete from auth.users where email = 'user3@example.com';
-- expect: select (select count(*) from auth.identities) as i, (select count(*) from profiles) as p => [{"i":2,"p":2}]
