import { notOfExtension, OWN } from "./source.js";

const NAME = "format('public.%I', c.relname)";
const WORD =
  `case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'i' then 'index'
  when 'I' then 'index' when 'c' then 'type' else 'table' end`;

/**
 * What is said of an object behind its making. Rows of `SettingRow`: a setting that is not named has its usual value, and `undo`
 * gives it that.
 */
export const TABLE_SETTINGS = `
select ${NAME} || ' persistence' as key, ${NAME} as of, format('alter table %s set unlogged', ${NAME}) as create,
  format('alter table %s set logged', ${NAME}) as undo, true as usual, false as additive
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and c.relpersistence = 'u'
union all
select ${NAME} || ' type', ${NAME}, format('alter table %s of %s', ${NAME}, format_type(c.reloftype, null)),
  format('alter table %s not of', ${NAME}), false, false
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and c.reloftype <> 0
union all
select ${NAME} || ' options', ${NAME}, format('alter %s %s set (%s)', ${WORD}, ${NAME}, o.list), format('alter %s %s reset (%s)', ${WORD}, ${NAME}, o.names), false, true
  from pg_class c cross join lateral (select string_agg(format('%s = %L', x.option_name, x.option_value), ', ') as list,
    string_agg(x.option_name, ', ') as names from pg_options_to_table(c.reloptions) x) o
  where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and o.list is not null
union all
select ${NAME} || ' row security', ${NAME}, format('alter table %s enable row level security', ${NAME}),
  format('alter table %s disable row level security', ${NAME}), false, false
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and c.relrowsecurity
union all
select ${NAME} || ' forced row security', ${NAME}, format('alter table %s force row level security', ${NAME}),
  format('alter table %s no force row level security', ${NAME}), false, false
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p') and c.relforcerowsecurity
union all
select ${NAME} || ' replica identity', ${NAME}, format('alter table %s replica identity %s', ${NAME}, case c.relreplident when 'f' then 'full'
    when 'n' then 'nothing' else 'using index ' || (select quote_ident(i.relname) from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and x.indisreplident) end),
  format('alter table %s replica identity default', ${NAME}), false, false
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p', 'm') and c.relreplident not in ('d')
  and (c.relreplident <> 'i' or exists (select from pg_index x where x.indrelid = c.oid and x.indisreplident))
union all
select ${NAME} || ' cluster', ${NAME}, format('alter table %s cluster on %I', ${NAME}, i.relname), format('alter table %s set without cluster', ${NAME}), false, false
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
  where c.relnamespace = ${OWN} and x.indisclustered
union all
select ${NAME} || ' publication', ${NAME}, format('alter publication supabase_realtime add table %s', ${NAME}),
  format('alter publication supabase_realtime drop table %s', ${NAME}), false, false
  from pg_publication_tables p join pg_class c on c.relname = p.tablename and c.relnamespace = ${OWN}
  where p.pubname = 'supabase_realtime' and p.schemaname = 'public'
  and not exists (select from pg_publication u where u.pubname = 'supabase_realtime' and u.puballtables)
union all
select 'publication of all tables', '', 'create publication supabase_realtime for all tables', 'drop publication supabase_realtime', false, false
  from pg_publication u where u.pubname = 'supabase_realtime' and u.puballtables order by 1;
`;

const COLUMN = `format('%s.%I', ${NAME}, a.attname)`;
/** Columns of views go with their view. */
const OF_COLUMN = `case when c.relkind in ('r', 'p') then ${COLUMN} else ${NAME} end`;
const COLUMNS_OF = `from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = ${OWN}`;

export const COLUMN_SETTINGS = `
select ${COLUMN} || ' storage' as key, ${OF_COLUMN} as of, format('alter table %s %s alter column %I set storage %s', 'only', ${NAME}, a.attname,
    case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end) as create,
  format('alter table only %s alter column %I set storage default', ${NAME}, a.attname) as undo, false as additive
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
  where c.relnamespace = ${OWN} and c.relkind in ('r', 'p', 'm') and a.attstorage <> t.typstorage
union all
select ${COLUMN} || ' compression', ${OF_COLUMN}, format('alter table only %s alter column %I set compression %s', ${NAME}, a.attname,
    case a.attcompression when 'p' then 'pglz' else 'lz4' end),
  format('alter table only %s alter column %I set compression default', ${NAME}, a.attname), false
  ${COLUMNS_OF} and c.relkind in ('r', 'p', 'm') and a.attcompression in ('p', 'l')
union all
select ${COLUMN} || ' statistics', ${OF_COLUMN},
  case when c.relkind in ('i', 'I') then format('alter index %s alter column %s set statistics %s', ${NAME}, a.attnum, a.attstattarget)
    else format('alter table only %s alter column %I set statistics %s', ${NAME}, a.attname, a.attstattarget) end,
  case when c.relkind in ('i', 'I') then format('alter index %s alter column %s set statistics -1', ${NAME}, a.attnum)
    else format('alter table only %s alter column %I set statistics -1', ${NAME}, a.attname) end, false
  ${COLUMNS_OF} and c.relkind in ('r', 'p', 'm', 'i', 'I') and a.attstattarget >= 0
union all
select ${COLUMN} || ' options', ${OF_COLUMN}, format('alter table only %s alter column %I set (%s)', ${NAME}, a.attname,
    (select string_agg(format('%s = %s', x.option_name, x.option_value), ', ') from pg_options_to_table(a.attoptions) x)),
  format('alter table only %s alter column %I reset (%s)', ${NAME}, a.attname,
    (select string_agg(x.option_name, ', ') from pg_options_to_table(a.attoptions) x)), true
  ${COLUMNS_OF} and c.relkind in ('r', 'p', 'm') and a.attoptions is not null
union all
select format('public.%I statistics', s.stxname), format('public.%I', s.stxname),
  format('alter statistics public.%I set statistics %s', s.stxname, s.stxstattarget),
  format('alter statistics public.%I set statistics -1', s.stxname), false
  from pg_statistic_ext s where s.stxnamespace = ${OWN} and s.stxstattarget >= 0 order by 1;
`;

const state = (letter: string): string =>
  `case ${letter} when 'D' then 'disable' when 'R' then 'enable replica' when 'A' then 'enable always' else 'enable' end`;
const OF_TRIGGER = `format('%s.%I', case when c.relnamespace = ${OWN} then 'public' else 'auth' end, c.relname)`;

/** Triggers that do not fire as usual; those of partitions, where they differ from the parent's. */
export const TRIGGER_STATES = `
select format('%s.%I state', ${OF_TRIGGER}, t.tgname) as key,
  case when t.tgparentid = 0 then format('%s.%I', ${OF_TRIGGER}, t.tgname) else ${OF_TRIGGER} end as of,
  format('alter table %s%s %s trigger %I', case when c.relkind = 'r' then '' else 'only ' end, ${OF_TRIGGER}, ${
  state("t.tgenabled")
}, t.tgname) as create,
  format('alter table %s%s %s trigger %I', case when c.relkind = 'r' then '' else 'only ' end, ${OF_TRIGGER}, ${
  state("coalesce(o.tgenabled, 'O')")
}, t.tgname) as undo
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid left join pg_trigger o on o.oid = t.tgparentid
  where not t.tgisinternal and t.tgenabled <> 'O' and (c.relnamespace = ${OWN} or p.pronamespace = ${OWN})
  order by 1;
`;

/** An object that may have a comment: as a row of `listed`. */
const commented = (
  key: string,
  target: string,
  of: [catalog: string, oid: string, column: string],
  source: string,
  owner = key,
): string =>
  `select ${key} as key, ${owner} as of, ${target} as target, '${of[0]}' as catalog, ${of[1]} as oid, ${
    of[2]
  }::int as number from ${source}`;

const ROUTINE = `case p.prokind when 'a' then 'aggregate' when 'p' then 'procedure' else 'function' end`;

/**
 * Joined as a whole: PostgreSQL's obj_description looks through all that the project has at each call, and so does a loop over
 * the views of the catalog, which stand for functions.
 */
export const COMMENTS = `
with said as materialized (select objoid, objsubid, split_part(classoid::regclass::text, '.', -1) as catalog, description from pg_description),
listed as materialized (
${
  [
    commented(
      NAME,
      `${WORD} || ' ' || ${NAME}`,
      ["pg_class", "c.oid", "0"],
      `pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'i', 'I', 'c') and ${
        notOfExtension("c.oid")
      }`,
    ),
    commented(
      COLUMN,
      `'column ' || ${COLUMN}`,
      ["pg_class", "c.oid", "a.attnum"],
      COLUMNS_OF.slice("from ".length),
      OF_COLUMN,
    ),
    commented(
      "format('public.%I.%I', c.relname, k.conname)",
      "format('constraint %I on public.%I', k.conname, c.relname)",
      ["pg_constraint", "k.oid", "0"],
      `pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = ${OWN}`,
    ),
    commented(
      "format('public.%I.%I', t.typname, k.conname)",
      "format('constraint %I on domain public.%I', k.conname, t.typname)",
      ["pg_constraint", "k.oid", "0"],
      `pg_constraint k join pg_type t on t.oid = k.contypid where t.typnamespace = ${OWN}`,
    ),
    commented(
      `format('%s.%I', ${OF_TRIGGER}, g.tgname)`,
      `format('trigger %I on %s', g.tgname, ${OF_TRIGGER})`,
      ["pg_trigger", "g.oid", "0"],
      `pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
        where not g.tgisinternal and g.tgparentid = 0 and (c.relnamespace = ${OWN} or p.pronamespace = ${OWN})`,
    ),
    commented(
      "format('public.%I.%I', c.relname, o.polname)",
      "format('policy %I on public.%I', o.polname, c.relname)",
      ["pg_policy", "o.oid", "0"],
      `pg_policy o join pg_class c on c.oid = o.polrelid where c.relnamespace = ${OWN}`,
    ),
    commented(
      `format('%s public.%I(%s)', ${ROUTINE}, p.proname, pg_get_function_identity_arguments(p.oid))`,
      `format('%s public.%I(%s)', ${ROUTINE}, p.proname, case when p.prokind = 'a' and p.pronargs = 0 then '*'
        else pg_get_function_identity_arguments(p.oid) end)`,
      ["pg_proc", "p.oid", "0"],
      `pg_proc p where p.pronamespace = ${OWN} and ${notOfExtension("p.oid")}`,
    ),
    commented(
      "format('public.%I', t.typname)",
      "format('%s public.%I', case t.typtype when 'd' then 'domain' else 'type' end, t.typname)",
      ["pg_type", "t.oid", "0"],
      `pg_type t where t.typnamespace = ${OWN} and ${notOfExtension("t.oid")}`,
    ),
    ...[
      ["pg_statistic_ext", "stx", "statistics"],
      ["pg_collation", "coll", "collation"],
      ["pg_ts_dict", "dict", "text search dictionary"],
    ].map(([catalog = "", start, word]) =>
      commented(
        `format('public.%I', x.${start}name)`,
        `format('${word} public.%I', x.${start}name)`,
        [catalog, "x.oid", "0"],
        `${catalog} x where x.${start}namespace = ${OWN}`,
      )
    ),
  ].join("\nunion all\n")
})
select o.key || ' comment' as key, o.of, format('comment on %s is %s', o.target, quote_literal(d.description)) as create,
  format('comment on %s is null', o.target) as undo
  from said d join listed o on o.catalog = d.catalog and o.oid = d.objoid and o.number = d.objsubid order by 1;
`;

/** Rows of `text`: what a script cannot carry. */
export const LEFT_OUT = `
select format('the schema %s', n.nspname) as text from pg_namespace n where n.nspname ~ '^proj_[0-9a-f]{32}__'
union all
select format('the rule %I on public.%I', w.rulename, c.relname) from pg_rewrite w join pg_class c on c.oid = w.ev_class
  where c.relnamespace = ${OWN} and w.rulename <> '_RETURN'
union all
select format('the foreign table public.%I', c.relname) from pg_class c where c.relnamespace = ${OWN} and c.relkind = 'f'
union all
select format('the text search configuration public.%I', f.cfgname) from pg_ts_config f where f.cfgnamespace = ${OWN}
union all
select format('the operator public.%s', o.oprname) from pg_operator o where o.oprnamespace = ${OWN} and ${
  notOfExtension("o.oid")
}
union all
select format('the type public.%I', t.typname) from pg_type t where t.typnamespace = ${OWN} and t.typtype = 'b' and t.typelem = 0
  and ${notOfExtension("t.oid")}
order by 1;
`;
