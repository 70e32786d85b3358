import type { Column, Table } from "./snapshot.js";

const OWN = "'public'::regnamespace";
const NOT_OF_EXTENSION = (oid: string) =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`;

/** One SELECT for each part of a snapshot, in the order of `readSnapshot`. Names are quoted by the database. */
export const SNAPSHOT_SCRIPT = `
select nspname as name from pg_namespace where nspname ~ '^proj_[0-9a-f]{32}__' order by 1;
select quote_ident(t.typname) as name, array_agg(quote_literal(e.enumlabel) order by e.enumsortorder) as labels
  from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = ${OWN} and ${NOT_OF_EXTENSION("t.oid")}
  group by t.oid, t.typname order by t.oid;
select quote_ident(t.typname) as name, t.typtype as kind, format_type(t.typbasetype, t.typtypmod) as base, t.typdefault as preset,
  t.typnotnull as required,
  (select string_agg(format('constraint %I %s', c.conname, pg_get_constraintdef(c.oid)), ' ' order by c.oid)
     from pg_constraint c where c.contypid = t.oid and c.contype = 'c') as checks,
  (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
     from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) as fields
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = ${OWN} and (t.typtype = 'd' or (t.typtype = 'c' and c.relkind = 'c')) and ${
  NOT_OF_EXTENSION("t.oid")
}
  order by t.oid;
select quote_ident(c.relname) as name, format_type(s.seqtypid, null) as type, s.seqstart::text as start, s.seqincrement::text as step,
  s.seqmin::text as low, s.seqmax::text as high, s.seqcycle as cycle,
  (select format('%I.%I', r.relname, a.attname) from pg_depend d join pg_class r on r.oid = d.refobjid
     join pg_attribute a on a.attrelid = r.oid and a.attnum = d.refobjsubid
     where d.objid = c.oid and d.deptype = 'a' and d.refobjsubid > 0 limit 1) as owner
  from pg_class c join pg_sequence s on s.seqrelid = c.oid where c.relnamespace = ${OWN}
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'e')) order by c.oid;
select c.oid::text as oid, quote_ident(c.relname) as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
  case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as key, pg_get_expr(c.relpartbound, c.oid) as bound,
  (select quote_ident(p.relname) from pg_inherits i join pg_class p on p.oid = i.inhparent
     where i.inhrelid = c.oid and c.relispartition) as parent
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and ${
  NOT_OF_EXTENSION("c.oid")
} order by c.oid;
select c.oid::text as oid, quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
  pg_get_expr(d.adbin, d.adrelid) as expression, a.attidentity::text as identity, a.attgenerated::text as generated
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') order by c.oid, a.attnum;
select p.prokind::text as kind, format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as name,
  case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) end as definition
  from pg_proc p where p.pronamespace = ${OWN} and p.prokind in ('f', 'p', 'a') and ${
  NOT_OF_EXTENSION("p.oid")
} order by p.oid;
select quote_ident(c.relname) as name, c.relkind::text as kind, pg_get_viewdef(c.oid) as definition,
  array_to_string(c.reloptions, ', ') as options
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('v', 'm') and ${
  NOT_OF_EXTENSION("c.oid")
} order by c.oid;
select quote_ident(c.conname) as name, quote_ident(r.relname) as of_table, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class r on r.oid = c.conrelid
  where c.connamespace = ${OWN} and c.contype in ('p', 'u', 'x', 'c', 'f') and c.conparentid = 0 and c.conislocal
  order by array_position(array['p', 'u', 'x', 'c', 'f'], c.contype::text), c.oid;
select quote_ident(i.relname) as name, pg_get_indexdef(x.indexrelid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class r on r.oid = x.indrelid
  where r.relnamespace = ${OWN} and not i.relispartition
  and not exists (select from pg_constraint c where c.conindid = x.indexrelid and c.contype in ('p', 'u', 'x')) order by i.oid;
select quote_ident(t.tgname) as name, case when r.relnamespace = ${OWN} then 'public' else 'auth' end as of_schema,
  quote_ident(r.relname) as of_table, pg_get_triggerdef(t.oid) as definition
  from pg_trigger t join pg_class r on r.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and t.tgparentid = 0 and p.pronamespace = ${OWN} order by t.oid;
select quote_ident(policyname) as name, case schemaname when 'public' then 'public' when 'storage' then 'storage' else 'realtime' end
  as of_schema, quote_ident(tablename) as of_table, permissive, array_to_string(roles, ', ') as roles, cmd, qual, with_check
  from pg_policies where schemaname in ('public', 'storage', 'realtime') and policyname not like 'svc\\_%' order by 2, 3, 1;
`;

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/**
 * A SELECT for each table that makes one INSERT of all its rows. They travel as text, because JSON's numbers in JavaScript have
 * not enough digits for bigint and numeric.
 */
export function rowsScript(tables: readonly Table[]): string {
  return tables.filter(({ partitionBy, columns }) => partitionBy === null && columns.some(stored)).map(
    ({ name, columns }) => {
      const list = columns.filter(stored).map((column) => column.name).join(", ");
      const overriding = columns.some(({ identity }) => identity !== "") ? " overriding system value" : "";
      const head = literal(
        `insert into public.${name} (${list})${overriding} select ${list} from json_populate_recordset(null::public.${name}, `,
      );
      return `select ${head} || quote_literal(json_agg(row_to_json(t))::text) || ');' as insert from public.${name} t having count(*) > 0;`;
    },
  ).join("\n");
}

const stored = ({ generated }: Column): boolean => generated === "";
