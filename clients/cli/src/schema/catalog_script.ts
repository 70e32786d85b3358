import { COLUMN_GRANTS, DEFAULT_PRIVILEGES, GRANTS } from "./catalog/grants.js";
import * as relations from "./catalog/relations.js";
import { COLUMN_SETTINGS, COMMENTS, LEFT_OUT, TABLE_SETTINGS, TRIGGER_STATES } from "./catalog/settings.js";
import * as types from "./catalog/types.js";

/** Objects that are made and dropped as a whole. */
const ITEMS = [
  types.COLLATIONS,
  types.DICTIONARIES,
  types.ENUMERATIONS,
  types.TYPES,
  types.DOMAIN_CONSTRAINTS,
  relations.SEQUENCES,
  types.ROUTINES,
  relations.DEFAULTS,
  relations.CONSTRAINTS,
  relations.NOT_NULL_LATER,
  relations.INDEXES,
  relations.INDEX_PARTS,
  relations.STATISTICS,
  relations.VIEWS,
  relations.TRIGGERS,
  relations.POLICIES,
];

/** What is said of them behind that. */
const SETTINGS = [TABLE_SETTINGS, COLUMN_SETTINGS, TRIGGER_STATES, COMMENTS];

/**
 * The catalog as one row for each query, so that its length is limited by bytes alone. Each row has `part` and `rows`; parts of
 * one name belong together. Names are quoted by the database.
 */
export const SNAPSHOT_SCRIPT = [
  ...ITEMS.map((query) => ["items", query]),
  ["tables", relations.TABLES],
  ["columns", relations.COLUMNS],
  ["dependencies", relations.DEPENDENCIES],
  ...SETTINGS.map((query) => ["settings", query]),
  ["grants", GRANTS],
  ["grants", COLUMN_GRANTS],
  ["defaults", DEFAULT_PRIVILEGES],
  ["left", LEFT_OUT],
].map(([part, query]) =>
  `select '${part}' as part, coalesce(json_agg(row_to_json(listed.*)), '[]') as rows from (${
    query?.trim().replace(/;$/, "")
  }) listed;`
).join("\n");
