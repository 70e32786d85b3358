import { address, collation, notOfExtension, OWN, SEQUENCE_OPTIONS } from "./source.js";

const LOOSE = (oid: string): string =>
  `not exists (select from pg_depend i where i.objid = ${oid} and i.deptype in ('i', 'e'))`;

/** Sequences that are no identity's. */
export const SEQUENCES = `
select 'sequence' as kind, format('public.%I', c.relname) as key, array[${address("pg_class", "c.oid")}] as addresses,
  format('create %ssequence public.%I as %s ', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname,
    format_type(s.seqtypid, null)) || ${SEQUENCE_OPTIONS("s")} as create,
  format('drop sequence public.%I', c.relname) as drop,
  format('alter sequence public.%I as %s ', c.relname, format_type(s.seqtypid, null)) || ${
  SEQUENCE_OPTIONS("s")
} as replace,
  c.relpersistence::text as form,
  (select format('public.%I.%I', r.relname, a.attname) from pg_depend d join pg_class r on r.oid = d.refobjid
     join pg_attribute a on a.attrelid = r.oid and a.attnum = d.refobjsubid
     where d.objid = c.oid and d.deptype = 'a' and d.refobjsubid > 0 limit 1) as owner
  from pg_class c join pg_sequence s on s.seqrelid = c.oid where c.relnamespace = ${OWN} and ${
  LOOSE("c.oid")
} order by c.oid;
`;

/** Rows of `TableRow`. A partition is made as a table and attached, so that its columns stand as they do. */
export const TABLES = `
select c.oid::text as oid, format('public.%I', c.relname) as key, c.relkind = 'p' as partitioned, c.relispartition as partition,
  array[${address("pg_class", "c.oid")}, ${address("pg_type", "c.reltype")}, ${
  address("pg_type", "(select t.typarray from pg_type t where t.oid = c.reltype)")
}] as addresses,
  case c.relpersistence when 'u' then 'unlogged' else 'logged' end as persistence,
  case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition_key, pg_get_expr(c.relpartbound, c.oid) as bound,
  (select array_agg(format('public.%I', p.relname) order by i.inhseqno)
     from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid) as parents,
  case when c.reloftype <> 0 then format_type(c.reloftype, null) end as of_type
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and ${
  notOfExtension("c.oid")
} order by c.oid;
`;

/** Rows of `ColumnRow`. */
export const COLUMNS = `
select c.oid::text as oid, quote_ident(a.attname) as name, ${
  address("pg_class", "c.oid")
} || ':' || a.attnum::text as address,
  case when a.attgenerated <> '' then array[${address("pg_attrdef", "d.oid")}] else '{}' end as further,
  format_type(a.atttypid, a.atttypmod) || ${collation("a.attcollation", "t.typcollation")} as type,
  a.attnotnull as required, a.attislocal as local,
  (select jsonb_build_object('name', quote_ident(k.conname), 'usual', k.conname = c.relname || '_' || a.attname || '_not_null',
      'local', k.conislocal, 'valid', k.convalidated, 'alone', k.connoinherit)
     from pg_constraint k where k.conrelid = c.oid and k.contype = 'n' and k.conkey = array[a.attnum] limit 1) as rule,
  case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end as expression,
  a.attidentity::text as identity, a.attgenerated::text as generated,
  case when a.attidentity <> '' then (select format('sequence name public.%I ', q.relname) || ${SEQUENCE_OPTIONS("s")}
     from pg_depend i join pg_class q on q.oid = i.objid join pg_sequence s on s.seqrelid = q.oid
     where i.refobjid = c.oid and i.refobjsubid = a.attnum and i.deptype = 'i' limit 1) end as counted,
  case when a.attidentity <> '' then (select q.relname = c.relname || '_' || a.attname || '_seq' and s.seqstart = 1 and s.seqincrement = 1
      and s.seqmin = 1 and s.seqcache = 1 and not s.seqcycle and s.seqmax = case s.seqtypid when 'int2'::regtype then 32767
        when 'int4'::regtype then 2147483647 else 9223372036854775807 end
     from pg_depend i join pg_class q on q.oid = i.objid join pg_sequence s on s.seqrelid = q.oid
     where i.refobjid = c.oid and i.refobjsubid = a.attnum and i.deptype = 'i' limit 1) end as usual
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum left join pg_type t on t.oid = a.atttypid
  where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') order by c.oid, a.attnum;
`;

/** Defaults of columns, of views too. */
export const DEFAULTS = `
select 'default' as kind, format('public.%I.%I default', c.relname, a.attname) as key, array[${
  address("pg_attrdef", "d.oid")
}] as addresses,
  array[${address("pg_class", "c.oid")} || ':' || a.attnum::text, ${address("pg_class", "c.oid")}] as needs,
  format('alter table %spublic.%I alter column %I set default %s', case c.relkind when 'v' then '' else 'only ' end, c.relname,
    a.attname, pg_get_expr(d.adbin, d.adrelid)) as create,
  format('alter table %spublic.%I alter column %I drop default', case c.relkind when 'v' then '' else 'only ' end, c.relname, a.attname)
    as drop,
  format('alter table %spublic.%I alter column %I set default %s', case c.relkind when 'v' then '' else 'only ' end, c.relname,
    a.attname, pg_get_expr(d.adbin, d.adrelid)) as replace, pg_get_expr(d.adbin, d.adrelid) as expression
  from pg_class c join pg_attrdef d on d.adrelid = c.oid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
  where c.relnamespace = ${OWN} and a.attgenerated = '' order by c.oid, a.attnum;
`;

/** Those of partitions are made by themselves and attached, so that they keep their names; foreign keys come with the parent's. */
export const CONSTRAINTS = `
select case k.contype when 'f' then 'foreign key' else 'constraint' end as kind, format('public.%I.%I', r.relname, k.conname) as key,
  array[${address("pg_constraint", "k.oid")}] || case when k.contype in ('p', 'u', 'x') then array[${
  address("pg_class", "k.conindid")
}] else '{}' end as addresses,
  array[${address("pg_class", "r.oid")}] as needs,
  format('alter table %spublic.%I add constraint %I %s',
    case when k.contype in ('p', 'u', 'x') then 'only ' else '' end, r.relname, k.conname, pg_get_constraintdef(k.oid)) as create,
  format('alter table public.%I drop constraint %I', r.relname, k.conname) as drop,
  case when k.conparentid <> 0 then (select format('public.%I.%I', pr.relname, pk.conname) from pg_constraint pk
    join pg_class pr on pr.oid = pk.conrelid where pk.oid = k.conparentid) end as part_of
  from pg_constraint k join pg_class r on r.oid = k.conrelid
  where k.connamespace = ${OWN} and k.contype in ('p', 'u', 'x', 'c', 'f') and ${notOfExtension("r.oid")}
  and (k.conislocal or k.contype in ('p', 'u', 'x')) and (k.conparentid = 0 or k.contype in ('p', 'u', 'x'))
  order by array_position(array['p', 'u', 'x', 'c', 'f'], k.contype::text), k.oid;
`;

/** NOT NULL of rows that are not checked, and of columns that a table inherits. */
export const NOT_NULL_LATER = `
select 'constraint' as kind, format('public.%I.%I', r.relname, k.conname) as key, array[${
  address("pg_constraint", "k.oid")
}] as addresses,
  array[${address("pg_class", "r.oid")}] as needs,
  format('alter table public.%I add constraint %I %s', r.relname, k.conname, pg_get_constraintdef(k.oid)) as create,
  format('alter table public.%I drop constraint %I', r.relname, k.conname) as drop
  from pg_constraint k join pg_class r on r.oid = k.conrelid
  left join pg_attribute a on a.attrelid = r.oid and a.attnum = k.conkey[1]
  where k.connamespace = ${OWN} and k.contype = 'n' and k.conislocal and (not k.convalidated or not a.attislocal) order by k.oid;
`;

export const INDEXES = `
select 'index' as kind, format('public.%I', i.relname) as key, array[${address("pg_class", "i.oid")}] as addresses,
  array[${
  address("pg_class", "r.oid")
}] as needs, pg_get_indexdef(x.indexrelid) as create, format('drop index public.%I', i.relname) as drop,
  (select format('public.%I', p.relname) from pg_inherits h join pg_class p on p.oid = h.inhparent where h.inhrelid = i.oid) as part_of
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class r on r.oid = x.indrelid
  where r.relnamespace = ${OWN} and r.relkind in ('r', 'p', 'm') and ${notOfExtension("r.oid")}
  and not exists (select from pg_constraint c where c.conindid = x.indexrelid and c.contype in ('p', 'u', 'x')) order by i.oid;
`;

/** Indexes of partitions belong to those of the parent. */
export const INDEX_PARTS = `
select 'index part' as kind, format('public.%I part', i.relname) as key, '{}'::text[] as addresses,
  array[${address("pg_class", "i.oid")}, ${address("pg_class", "p.oid")}] as needs,
  format('alter index public.%I attach partition public.%I', p.relname, i.relname) as create, '' as drop
  from pg_inherits h join pg_class i on i.oid = h.inhrelid join pg_class p on p.oid = h.inhparent
  where i.relnamespace = ${OWN} and i.relkind in ('i', 'I') order by i.oid;
`;

export const STATISTICS = `
select 'statistics' as kind, format('public.%I', s.stxname) as key, array[${
  address("pg_statistic_ext", "s.oid")
}] as addresses,
  array[${address("pg_class", "s.stxrelid")}] as needs, pg_get_statisticsobjdef(s.oid) as create,
  format('drop statistics public.%I', s.stxname) as drop
  from pg_statistic_ext s where s.stxnamespace = ${OWN} order by s.oid;
`;

export const VIEWS = `
select 'view' as kind, format('public.%I', c.relname) as key,
  array[${address("pg_class", "c.oid")}, ${address("pg_type", "c.reltype")}, ${
  address("pg_type", "(select t.typarray from pg_type t where t.oid = c.reltype)")
}, ${
  address("pg_rewrite", "(select w.oid from pg_rewrite w where w.ev_class = c.oid and w.rulename = '_RETURN')")
}] as addresses,
  format('create %s public.%I%s as%s%s%s', case c.relkind when 'm' then 'materialized view' else 'view' end, c.relname,
    ' with (' || (select string_agg(format('%s = %L', o.option_name, o.option_value), ', ') from pg_options_to_table(c.reloptions) o)
      || ')', chr(10), rtrim(pg_get_viewdef(c.oid), ';'), case when c.relkind = 'm' and not c.relispopulated then chr(10) || 'with no data' else '' end)
    as create,
  format('drop %s public.%I', case c.relkind when 'm' then 'materialized view' else 'view' end, c.relname) as drop
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('v', 'm') and ${
  notOfExtension("c.oid")
} order by c.oid;
`;

export const TRIGGERS = `
select 'trigger' as kind, format('%s.%I.%I', case when r.relnamespace = ${OWN} then 'public' else 'auth' end, r.relname, t.tgname) as key,
  array[${address("pg_trigger", "t.oid")}] || case when t.tgconstraint <> 0 then array[${
  address("pg_constraint", "t.tgconstraint")
}] else '{}' end as addresses,
  array[${address("pg_class", "r.oid")}] as needs, pg_get_triggerdef(t.oid) as create,
  format('drop trigger %I on %s.%I', t.tgname, case when r.relnamespace = ${OWN} then 'public' else 'auth' end, r.relname) as drop
  from pg_trigger t join pg_class r on r.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and t.tgparentid = 0 and ${notOfExtension("t.oid")}
  and (r.relnamespace = ${OWN} or p.pronamespace = ${OWN}) order by t.oid;
`;

export const POLICIES = `
select 'policy' as kind, format('%s.%I.%I', s.name, p.tablename, p.policyname) as key,
  array[${address("pg_policy", "o.oid")}] as addresses, array[${address("pg_class", "o.polrelid")}] as needs,
  format('create policy %I on %s.%I as %s for %s to %s%s%s', p.policyname, s.name, p.tablename, lower(p.permissive), lower(p.cmd),
    array_to_string(p.roles, ', '), ' using (' || p.qual || ')', ' with check (' || p.with_check || ')') as create,
  format('drop policy %I on %s.%I', p.policyname, s.name, p.tablename) as drop
  from pg_policies p
  cross join lateral (select case p.schemaname when 'public' then 'public' when 'storage' then 'storage' else 'realtime' end as name) s
  left join (pg_policy o join pg_class c on c.oid = o.polrelid and c.relnamespace = ${OWN})
    on s.name = 'public' and c.relname = p.tablename and o.polname = p.policyname
  where p.schemaname in ('public', 'storage', 'realtime') and p.policyname not like 'svc\\_%' order by 2;
`;

/** Rows of `from`, `to`: what has to be there before. */
export const DEPENDENCIES = `
select distinct split_part(d.classid::regclass::text, '.', -1) || ':' || d.objid::text || case when d.objsubid > 0 then ':' || d.objsubid::text else '' end as from,
  split_part(d.refclassid::regclass::text, '.', -1) || ':' || d.refobjid::text || case when d.refobjsubid > 0 then ':' || d.refobjsubid::text else '' end as to
  from pg_depend d where d.deptype in ('n', 'a', 'i', 'P', 'S') and d.refobjid >= 16384
  and d.refclassid::regclass::text not like '%pg_namespace' order by 1, 2;
`;
