/** Text of the queries' own conditions. A query answers rows of `ItemRow`, unless it says otherwise. */
export const OWN = "'public'::regnamespace";

/** An object that an extension has made comes with the extension. */
export const notOfExtension = (oid: string): string =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`;

/** An object of the catalog as the edges of `DEPENDENCIES` name it. */
export const address = (catalog: string, oid: string): string => `'${catalog}:' || ${oid}::text`;

/** The name of a collation behind COLLATE, if it is not the one that the type brings. */
export const collation = (chosen: string, usual: string): string =>
  `case when ${chosen} <> 0 and ${chosen} <> ${usual} then (select format(' collate %I.%I', n.nspname, l.collname)
    from pg_collation l join pg_namespace n on n.oid = l.collnamespace where l.oid = ${chosen}) else '' end`;

/** The options of a sequence, with their values whether usual or not. */
export const SEQUENCE_OPTIONS = (sequence: string): string =>
  `format('start with %s increment by %s minvalue %s maxvalue %s cache %s%s', ${sequence}.seqstart, ${sequence}.seqincrement,
    ${sequence}.seqmin, ${sequence}.seqmax, ${sequence}.seqcache, case when ${sequence}.seqcycle then ' cycle' else ' no cycle' end)`;
