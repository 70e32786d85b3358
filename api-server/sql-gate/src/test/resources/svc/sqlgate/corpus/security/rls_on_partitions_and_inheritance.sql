create table logs (tenant uuid not null default auth.uid(), at date not null, line text) partition by range (at);
create table logs_a partition of logs for values from ('2024-01-01') to ('2024-07-01');
create table logs_b partition of logs for values from ('2024-07-01') to ('2025-01-01');
alter table logs enable row level security;
alter table logs_a enable row level security;
alter table logs_b enable row level security;
create policy own on logs for all to authenticated using (tenant = (select auth.uid()));
insert into logs values ('00000000-0000-4000-8000-000000000001', '2024-02-02', 'a1'), ('00000000-0000-4000-8000-000000000002', '2024-08-02', 'b2');
-- expect as user 1: GET /logs?select=line => 200 [{"line":"a1"}]
-- expect as user 1: GET /logs_a => 404
-- expect as user 1: POST /logs?select=line {"at":"2024-09-09","line":"b1"} => 201 [{"line":"b1"}]
-- expect: select count(*) from logs_b => 2
