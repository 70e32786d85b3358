create or replace function public.set_updated_at()
returns trigger language plpgsql as $$
begin
  new.updated_at = timezone('utc', now());
  return new;
end;
$$;
create table public.a (id int primary key, v text, created_at timestamptz default now(), updated_at timestamptz default '2000-01-01');
create table public.b (id int primary key, v text, created_at timestamptz default now(), updated_at timestamptz default '2000-01-01');
create trigger set_updated_at before update on public.a for each row execute function public.set_updated_at();
drop trigger if exists set_updated_at on public.b;
create or replace trigger set_updated_at before update on public.b for each row when (old.* is distinct from new.*) execute function public.set_updated_at();
insert into public.a values (1, 'x'); insert into public.b values (1, 'x');
-- expect as service: PATCH /a?id=eq.1&select=v {"v":"y"} => 200 [{"v":"y"}]
-- expect as service: PATCH /b?id=eq.1&select=updated_at {"v":"x"} => 200 [{"updated_at":"2000-01-01T00:00:00+00:00"}]
-- expect: select updated_at > '2020-01-01' from a => true
