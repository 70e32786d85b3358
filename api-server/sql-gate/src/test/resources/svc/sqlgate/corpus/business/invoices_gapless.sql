-- Invoice numbers without gaps, per year
create table public.invoice_counters (year int primary key, last int not null default 0);
create table public.invoices (
  id uuid primary key default gen_random_uuid(),
  number text unique,
  issued_on date not null default current_date,
  lines jsonb not null default '[]',
  total numeric generated always as (jsonb_array_length(lines)) stored
);
create or replace function public.assign_invoice_number() returns trigger language plpgsql as $$
declare n int;
begin
  insert into public.invoice_counters as c (year, last) values (extract(year from new.issued_on), 1)
  on conflict (year) do update set last = c.last + 1
  returning last into n;
  new.number := to_char(new.issued_on, 'YYYY') || '-' || lpad(n::text, 4, '0');
  return new;
end $$;
create trigger assign_number before insert on public.invoices for each row execute function public.assign_invoice_number();
create or replace function public.no_change() returns trigger language plpgsql as $$
begin
  raise exception 'invoices are final';
end $$;
create trigger final before update or delete on public.invoices for each row execute function public.no_change();
insert into public.invoices (issued_on) values ('2023-12-31'), ('2024-01-01'), ('2024-01-02');
-- expect: select number from invoices order by number => [{"number":"2023-0001"},{"number":"2024-0001"},{"number":"2024-0002"}]
-- expect: update invoices set lines = '[1]' => error P0001
-- expect as service: DELETE /invoices?number=eq.2023-0001 => 400
-- expect: select year, last from invoice_counters order by year => [{"year":2023,"last":1},{"year":2024,"last":2}]
