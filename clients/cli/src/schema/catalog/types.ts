import { address, collation, notOfExtension, OWN } from "./source.js";

const OF_TYPE = `array[${address("pg_type", "t.oid")}, ${address("pg_type", "t.typarray")}]`;

/** Columns of later versions are read through JSON, so that one text serves the servers from 16 to 18. */
export const COLLATIONS = `
select 'collation' as kind, format('public.%I', l.collname) as key, array[${
  address("pg_collation", "l.oid")
}] as addresses,
  format('create collation public.%I (provider = %s%s%s)', l.collname,
    case l.collprovider when 'c' then 'libc' when 'i' then 'icu' else 'builtin' end,
    case when l.collprovider = 'c' then format(', lc_collate = %L, lc_ctype = %L', l.collcollate, l.collctype)
      else format(', locale = %L', coalesce(to_jsonb(l)->>'colllocale', to_jsonb(l)->>'colliculocale')) end,
    case when l.collisdeterministic then '' else ', deterministic = false' end
      || coalesce(', rules = ' || quote_literal(to_jsonb(l)->>'collicurules'), '')) as create,
  format('drop collation public.%I', l.collname) as drop
  from pg_collation l where l.collnamespace = ${OWN} and ${notOfExtension("l.oid")} order by l.oid;
`;

export const DICTIONARIES = `
select 'dictionary' as kind, format('public.%I', d.dictname) as key, array[${
  address("pg_ts_dict", "d.oid")
}] as addresses,
  format('create text search dictionary public.%I (template = pg_catalog.%I%s)', d.dictname,
    (select m.tmplname from pg_ts_template m where m.oid = d.dicttemplate), ', ' || d.dictinitoption) as create,
  format('drop text search dictionary public.%I', d.dictname) as drop
  from pg_ts_dict d where d.dictnamespace = ${OWN} and ${notOfExtension("d.oid")} order by d.oid;
`;

/** With `labels`. */
export const ENUMERATIONS = `
select 'enumeration' as kind, format('public.%I', t.typname) as key, ${OF_TYPE} as addresses,
  format('create type public.%I as enum (%s)', t.typname, l.list) as create, format('drop type public.%I', t.typname) as drop,
  l.labels
  from pg_type t cross join lateral (
    select coalesce(string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder), '') as list,
      coalesce(array_agg(quote_literal(e.enumlabel) order by e.enumsortorder), '{}') as labels
    from pg_enum e where e.enumtypid = t.oid) l
  where t.typnamespace = ${OWN} and t.typtype = 'e' and ${notOfExtension("t.oid")} order by t.oid;
`;

/** Domains without their constraints and composite types. */
export const TYPES = `
select 'type' as kind, format('public.%I', t.typname) as key, ${OF_TYPE} || array[${
  address("pg_class", "t.typrelid")
}] as addresses,
  case t.typtype when 'd' then format('create domain public.%I as %s%s', t.typname, format_type(t.typbasetype, t.typtypmod),
      ${collation("t.typcollation", "b.typcollation")})
    else format('create type public.%I as (%s)', t.typname, coalesce((
      select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)) || ${
  collation("a.attcollation", "f.typcollation")
}, ', ' order by a.attnum)
      from pg_attribute a left join pg_type f on f.oid = a.atttypid
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped), '')) end as create,
  format('drop %s public.%I', case t.typtype when 'd' then 'domain' else 'type' end, t.typname) as drop
  from pg_type t left join pg_class c on c.oid = t.typrelid left join pg_type b on b.oid = t.typbasetype
  where t.typnamespace = ${OWN} and (t.typtype = 'd' or (t.typtype = 'c' and c.relkind = 'c')) and ${
  notOfExtension("t.oid")
}
union all
select 'type', format('public.%I', t.typname), ${OF_TYPE} || array[${address("pg_type", "m.oid")}, ${
  address("pg_type", "m.typarray")
}],
  format('create type public.%I as range (subtype = %s%s%s%s, multirange_type_name = public.%I)', t.typname,
    format_type(r.rngsubtype, null),
    coalesce((select format(', subtype_opclass = %I.%I', n.nspname, o.opcname) from pg_opclass o
      join pg_namespace n on n.oid = o.opcnamespace where o.oid = r.rngsubopc and not o.opcdefault), ''),
    case when r.rngcollation <> 0 and r.rngcollation <> s.typcollation then (select format(', collation = %I.%I', n.nspname, l.collname)
      from pg_collation l join pg_namespace n on n.oid = l.collnamespace where l.oid = r.rngcollation) else '' end,
    coalesce((select format(', subtype_diff = %I.%I', n.nspname, p.proname) from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace where p.oid = r.rngsubdiff::oid), ''), m.typname),
  format('drop type public.%I', t.typname)
  from pg_type t join pg_range r on r.rngtypid = t.oid join pg_type m on m.oid = r.rngmultitypid left join pg_type s on s.oid = r.rngsubtype
  where t.typnamespace = ${OWN} and t.typtype = 'r' and ${notOfExtension("t.oid")} order by 2;
`;

/** Constraints of domains, NOT NULL included, and what a domain is by default. */
export const DOMAIN_CONSTRAINTS = `
select 'domain constraint' as kind, format('public.%I.%I', t.typname, k.conname) as key,
  array[${address("pg_constraint", "k.oid")}] as addresses, array[${address("pg_type", "t.oid")}] as needs,
  format('alter domain public.%I add constraint %I %s', t.typname, k.conname, pg_get_constraintdef(k.oid)) as create,
  format('alter domain public.%I drop constraint %I', t.typname, k.conname) as drop, null as replace
  from pg_type t join pg_constraint k on k.contypid = t.oid where t.typnamespace = ${OWN} and ${notOfExtension("t.oid")}
union all
select 'domain default', format('public.%I default', t.typname), '{}'::text[], array[${address("pg_type", "t.oid")}],
  format('alter domain public.%I set default %s', t.typname, t.typdefault), format('alter domain public.%I drop default', t.typname),
  format('alter domain public.%I set default %s', t.typname, t.typdefault)
  from pg_type t where t.typnamespace = ${OWN} and t.typtype = 'd' and t.typdefault is not null and ${
  notOfExtension("t.oid")
}
union all
select 'domain constraint', format('public.%I.not null', t.typname), '{}', array[${address("pg_type", "t.oid")}],
  format('alter domain public.%I set not null', t.typname), format('alter domain public.%I drop not null', t.typname), null
  from pg_type t where t.typnamespace = ${OWN} and t.typtype = 'd' and t.typnotnull and ${notOfExtension("t.oid")}
  and not exists (select from pg_constraint k where k.contypid = t.oid and k.contype = 'n') order by 2;
`;

/** The functions that a range type brings belong to it: PostgreSQL makes them with the type. */
export const ROUTINES = `
select case p.prokind when 'a' then 'aggregate' else 'routine' end as kind,
  format('%s public.%I(%s)', case p.prokind when 'a' then 'aggregate' when 'p' then 'procedure' else 'function' end, p.proname,
    pg_get_function_identity_arguments(p.oid)) as key,
  array[${address("pg_proc", "p.oid")}] as addresses,
  case p.prokind when 'a' then (select format('create aggregate public.%I(%s) (%s)', p.proname,
      case when a.aggkind <> 'n' or pg_get_function_identity_arguments(p.oid) <> '' then pg_get_function_identity_arguments(p.oid) else '*' end,
      concat_ws(', ', 'sfunc = ' || q.sfunc, 'stype = ' || format_type(a.aggtranstype, null), 'sspace = ' || nullif(a.aggtransspace, 0),
        'finalfunc = ' || q.finalfunc, case when a.aggfinalextra then 'finalfunc_extra' end,
        case when q.finalfunc is not null then 'finalfunc_modify = ' || case a.aggfinalmodify when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end end,
        'combinefunc = ' || q.combinefunc, 'serialfunc = ' || q.serialfunc, 'deserialfunc = ' || q.deserialfunc,
        'initcond = ' || quote_literal(a.agginitval),
        'msfunc = ' || q.msfunc, 'minvfunc = ' || q.minvfunc, case when q.msfunc is not null then 'mstype = ' || format_type(a.aggmtranstype, null) end,
        'msspace = ' || nullif(a.aggmtransspace, 0), 'mfinalfunc = ' || q.mfinalfunc, case when a.aggmfinalextra then 'mfinalfunc_extra' end,
        case when q.mfinalfunc is not null then 'mfinalfunc_modify = ' || case a.aggmfinalmodify when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end end,
        'minitcond = ' || quote_literal(a.aggminitval),
        'sortop = ' || (select format('operator(pg_catalog.%s)', o.oprname) from pg_operator o where o.oid = a.aggsortop),
        'parallel = ' || case p.proparallel when 's' then 'safe' when 'r' then 'restricted' end,
        case when a.aggkind = 'h' then 'hypothetical' end))
      from pg_aggregate a cross join lateral (select ${
  [
    ["sfunc", "aggtransfn"],
    ["finalfunc", "aggfinalfn"],
    ["combinefunc", "aggcombinefn"],
    ["serialfunc", "aggserialfn"],
    ["deserialfunc", "aggdeserialfn"],
    ["msfunc", "aggmtransfn"],
    ["minvfunc", "aggminvtransfn"],
    ["mfinalfunc", "aggmfinalfn"],
  ].map(([name, column]) =>
    `(select format('%I.%I', n.nspname, u.proname) from pg_proc u join pg_namespace n on n.oid = u.pronamespace where u.oid = a.${column}::oid) as ${name}`
  ).join(",\n        ")
}) q
      where a.aggfnoid::oid = p.oid)
    else rtrim(pg_get_functiondef(p.oid)) end as create,
  format('drop %s public.%I(%s)', case p.prokind when 'a' then 'aggregate' when 'p' then 'procedure' else 'function' end, p.proname,
    case when p.prokind = 'a' and pg_get_function_identity_arguments(p.oid) = '' then '*' else pg_get_function_identity_arguments(p.oid) end) as drop,
  case when p.prokind <> 'a' then rtrim(pg_get_functiondef(p.oid)) end as replace,
  concat_ws(' ', p.prokind::text, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)) as form
  from pg_proc p where p.pronamespace = ${OWN} and ${notOfExtension("p.oid")}
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'i') order by p.oid;
`;
