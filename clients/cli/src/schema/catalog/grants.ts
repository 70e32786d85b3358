import { notOfExtension, OWN } from "./source.js";

/** An access list as JSON: `[[grantee, privilege, grantable], …]`. */
const exploded = (list: string): string =>
  `(select jsonb_agg(jsonb_build_array(case when x.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end,
    lower(x.privilege_type), x.is_grantable) order by x.grantee, x.privilege_type) from aclexplode(${list}) x)`;

const NAME = "format('public.%I', c.relname)";

/** Rows of `GrantRow`: who may do what with an object. The functions of a range type belong to the server's first role. `type` is the letter of PostgreSQL's `acldefault`. */
export const GRANTS = `
select ${NAME} as key, ${NAME} as of, format('table %s', ${NAME}) as target, 'r' as type, ${
  exploded("coalesce(c.relacl, acldefault('r', c.relowner))")
} as list
  from pg_class c where c.relnamespace = ${OWN} and c.relkind in ('r', 'p', 'v', 'm') and ${notOfExtension("c.oid")}
union all
select ${NAME}, ${NAME}, format('sequence %s', ${NAME}), 's', ${
  exploded("coalesce(c.relacl, acldefault('s', c.relowner))")
}
  from pg_class c where c.relnamespace = ${OWN} and c.relkind = 'S' and ${notOfExtension("c.oid")}
union all
select f.key, f.key,
  format('%s public.%I(%s)', case p.prokind when 'p' then 'procedure' else 'function' end, p.proname, case p.prokind when 'a'
    then (select string_agg(format_type(g.type, null), ', ' order by g.at) from unnest(p.proargtypes) with ordinality g (type, at))
    else pg_get_function_identity_arguments(p.oid) end),
  'f', ${exploded("coalesce(p.proacl, acldefault('f', p.proowner))")}
  from pg_proc p cross join lateral (select format('%s public.%I(%s)', case p.prokind when 'a' then 'aggregate' when 'p' then 'procedure'
    else 'function' end, p.proname, pg_get_function_identity_arguments(p.oid)) as key) f
  where p.pronamespace = ${OWN} and ${notOfExtension("p.oid")}
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'i')
union all
select format('public.%I', t.typname), format('public.%I', t.typname), format('type public.%I', t.typname), 'T', ${
  exploded("coalesce(t.typacl, acldefault('T', t.typowner))")
}
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = ${OWN} and t.typtype in ('c', 'd', 'e', 'r') and (c.oid is null or c.relkind = 'c') and ${
  notOfExtension("t.oid")
} order by 3;
`;

/** Rows of `GrantRow` with the name of a `column`. */
export const COLUMN_GRANTS = `
select format('%s.%I', ${NAME}, a.attname) as key, case when c.relkind in ('r', 'p') then format('%s.%I', ${NAME}, a.attname) else ${NAME} end as of,
  format('table %s', ${NAME}) as target, quote_ident(a.attname) as column, ${exploded("a.attacl")} as list
  from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  where c.relnamespace = ${OWN} and a.attacl is not null and a.attacl <> '{}' order by c.oid, a.attnum;
`;

/** What new objects get: for each type the owner's and PUBLIC's own rights, and what the schema adds. */
export const DEFAULT_PRIVILEGES = `
select k.type, ${exploded('acldefault(k.type::"char", o.oid)')} as usual, ${exploded("g.defaclacl")} as everywhere, ${
  exploded("s.defaclacl")
} as in_schema
  from (values ('r', 'r'), ('s', 'S'), ('f', 'f'), ('T', 'T')) as k (type, object)
  cross join (select r.oid from pg_roles r where r.rolname = current_user) o
  left join pg_default_acl g on g.defaclrole = o.oid and g.defaclnamespace = 0 and g.defaclobjtype::text = k.object
  left join pg_default_acl s on s.defaclrole = o.oid and s.defaclnamespace = ${OWN} and s.defaclobjtype::text = k.object;
`;
