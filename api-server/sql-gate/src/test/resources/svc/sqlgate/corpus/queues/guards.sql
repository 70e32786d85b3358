-- Extensions that a migration asks for only where they are, or in a block that goes on without them
do $$
begin
  if exists (select from pg_available_extensions where name = 'pgmq') then
    create extension if not exists pgmq;
  end if;
  begin
    create extension timescaledb;
  exception when others then
    raise notice 'without timescaledb: %', sqlerrm;
  end;
  execute 'create extension if not exists pgcrypto';
  execute 'create extension if not exists pgmq';
end $$;
create extension if not exists pgsodium;
drop extension if exists pg_repack;
-- expect: select extname from pg_extension where extname in ('pgmq', 'timescaledb', 'pgsodium') => [{"extname":"pgmq"}]
-- expect: select installed_version from pg_available_extensions where name = 'pgmq' => "1.5.1"
-- next call
drop extension pgmq;
-- expect: select count(*) from pg_extension where extname = 'pgmq' => 0
