create table "knex_migrations" ("id" serial primary key, "name" varchar(255), "batch" integer, "migration_time" timestamptz);
create table if not exists "knex_migrations_lock" ("index" serial primary key, "is_locked" integer);
insert into "knex_migrations_lock" ("is_locked") values (0);
update "knex_migrations_lock" set "is_locked" = 1 where "is_locked" = 0;
BEGIN;
create table "accounts" ("id" serial primary key, "email" varchar(255) not null, "plan" text check ("plan" in ('free', 'pro')) default 'free', "balance" decimal(8, 2) default '0', "meta" jsonb null, "created_at" timestamptz not null default CURRENT_TIMESTAMP, "updated_at" timestamptz not null default CURRENT_TIMESTAMP);
alter table "accounts" add constraint "accounts_email_unique" unique ("email");
create table "logins" ("id" bigserial primary key, "account_id" integer not null, "ip" inet);
alter table "logins" add constraint "logins_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on update CASCADE on delete CASCADE;
create index "logins_account_id_index" on "logins" ("account_id");
comment on table "accounts" is 'People';
COMMIT;
BEGIN;
alter table "accounts" rename "plan" to "tier";
alter table "accounts" alter column "meta" drop default;
alter table "accounts" alter column "meta" drop not null;
alter table "accounts" alter column "meta" type jsonb using ("meta"::jsonb);
alter table "accounts" add column "deleted_at" timestamptz null;
COMMIT;
insert into "accounts" ("email", "meta") values ('a@b.c', '{"a":1}') returning "id";
insert into "accounts" ("email", "tier") values ('a@b.c', 'pro') on conflict ("email") do update set "tier" = excluded."tier", "meta" = excluded."meta" returning *;
insert into "logins" ("account_id", "ip") values (1, '10.0.0.1');
-- expect: select email, tier, meta, balance from accounts => [{"email":"a@b.c","tier":"pro","meta":null,"balance":0.00}]
-- expect: update accounts set tier = 'gold' => error 23514
-- expect as anon: GET /logins?select=ip,accounts(email) => 200 [{"ip":"10.0.0.1","accounts":{"email":"a@b.c"}}]
