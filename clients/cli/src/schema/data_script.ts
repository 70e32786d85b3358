import { OWN } from "./catalog/source.js";

/** Rows of `DataTable`, of tables that hold rows themselves, and what loading them has to know. */
const TABLES = `
select format('public.%I', c.relname) as key, c.relforcerowsecurity and c.relrowsecurity
    and not coalesce((select r.rolbypassrls from pg_roles r where r.oid = c.relowner), false) as forced,
  (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
    and not a.attisdropped and a.attgenerated = '') as columns,
  exists (select from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped) as identity,
  (select array_agg(quote_ident(a.attname) order by k.at) from pg_index x, unnest(x.indkey) with ordinality k (number, at), pg_attribute a
    where x.indrelid = c.oid and x.indisprimary and a.attrelid = c.oid and a.attnum = k.number) as key_columns,
  (select array_agg(format_type(a.atttypid, a.atttypmod) order by k.at)
    from pg_index x, unnest(x.indkey) with ordinality k (number, at), pg_attribute a
    where x.indrelid = c.oid and x.indisprimary and a.attrelid = c.oid and a.attnum = k.number) as key_types
  from pg_class c where c.relnamespace = ${OWN} and c.relkind = 'r'
  and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e') order by c.oid`;

/** Rows of `Reference`: the first table's rows need those of the second. */
const REFERENCES = `
select format('public.%I', r.relname) as of_table, format('public.%I', f.relname) as to_table, quote_ident(k.conname) as name,
  k.condeferrable as deferrable, k.condeferred as deferred, k.convalidated as valid, k.conparentid <> 0 as part
  from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
  where k.connamespace = ${OWN} and k.contype = 'f' and f.relnamespace = ${OWN} and coalesce(to_jsonb(k)->>'conenforced', 'true') = 'true'
  order by k.oid`;

/** Rows of `from`, `to`: a partition and its parent. */
const PARTITIONS = `
select format('public.%I', c.relname) as from, format('public.%I', p.relname) as to
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = ${OWN} and c.relispartition and c.relkind in ('r', 'p')`;

/** Triggers that would fire while rows are loaded, with the words that give them back their state. */
const TRIGGERS = `
select format('public.%I', c.relname) as of_table, quote_ident(t.tgname) as name,
  case t.tgenabled when 'A' then 'enable always' else 'enable' end as state
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgenabled in ('O', 'A') and c.relnamespace = ${OWN} and c.relkind in ('r', 'p') order by c.oid, t.oid`;

const SEQUENCES = `
select format('public.%I', c.relname) as key from pg_class c where c.relnamespace = ${OWN} and c.relkind = 'S'
  and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e') order by 1`;

/** Constraints that the rows may break which are there. */
const UNCHECKED = `
select format('the constraint %I of public.%I is NOT VALID: a row that breaks it is refused when it is loaded', k.conname, r.relname) as text
  from pg_constraint k join pg_class r on r.oid = k.conrelid
  where k.connamespace = ${OWN} and not k.convalidated and k.conparentid = 0 and coalesce(to_jsonb(k)->>'conenforced', 'true') = 'true'
  order by k.oid`;

/** Materialized views that hold rows, those that others read first. */
const VIEWS = `
select format('public.%I', c.relname) as key from pg_class c where c.relnamespace = ${OWN} and c.relkind = 'm' and c.relispopulated
  order by c.oid`;

/** One row for each part, as that of a snapshot. */
export const DATA_SCRIPT = Object.entries({
  tables: TABLES,
  references: REFERENCES,
  partitions: PARTITIONS,
  triggers: TRIGGERS,
  sequences: SEQUENCES,
  unchecked: UNCHECKED,
  views: VIEWS,
}).map(([part, query]) =>
  `select '${part}' as part, coalesce(json_agg(row_to_json(listed.*)), '[]') as rows from (${query}) listed;`
).join("\n");

export interface DataTable {
  key: string;
  /** Row security applies to the owner, who reads the table. */
  forced: boolean;
  /** Those that are stored. */
  columns: string[] | null;
  identity: boolean;
  key_columns: string[] | null;
  key_types: string[] | null;
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Where PostgreSQL keeps a row, by which a table without a key is read: each page begins where the last has ended. */
const PLACE = { columns: ["ctid"], types: ["tid"] };

/**
 * Some rows of a table, each with `row`, its values as one text in brackets, and `place`, where the next page begins. The values
 * are PostgreSQL's own text of their type, which its input reads back exactly: JSON would lose the null of JSON and the bounds of
 * arrays. Without a key the rows come in the order in which they are stored.
 *
 * @param after the place of the last row that was read
 */
export function pageOf(table: DataTable, after: readonly string[] | undefined, limit: number): string {
  const values = (table.columns ?? []).map((column) => `quote_nullable(held.${column}::text)`).join(" || ', ' || ");
  const row = `'(' || ${values === "" ? "''" : values} || ')' as row`;
  const { columns, types } = table.key_columns === null || table.key_types === null
    ? PLACE
    : { columns: table.key_columns, types: table.key_types };
  const held = columns.map((column) => `held.${column}`);
  const place = `array[${held.map((column) => `${column}::text`).join(", ")}] as place`;
  const beyond = after === undefined
    ? ""
    : ` where (${held.join(", ")}) > (${after.map((value, at) => `${literal(value)}::${types[at]}`).join(", ")})`;
  return `select ${row}, ${place} from only ${table.key} held${beyond} order by ${held.join(", ")} limit ${limit};`;
}

export const sequencesScript = (sequences: readonly string[]): string =>
  sequences.map((key) =>
    `select format('select pg_catalog.setval(%L, %s, %L)', ${literal(key)}, last_value, is_called) as set from ${key};`
  ).join("\n");
