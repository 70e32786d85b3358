/**
 * supabase-js for a project of svc. Everything of `@supabase/supabase-js` is exported from here unchanged, but for
 * {@link createClient}, which takes the project's schema as `dbSchema`.
 */
import {
  createClient as createSupabaseClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from "@supabase/supabase-js";
import { webSocket } from "#websocket";
import { isProjectRef, projectRefOf } from "./project_ref.js";

export * from "@supabase/supabase-js";
export { projectRefOf };

/** The version of the realtime protocol that the platform documents. */
const REALTIME_VERSION = "1.0.0";

type Schemas<Database> = Omit<Database, "__InternalSupabase">;
type SchemaName<Database> = string & keyof Schemas<Database>;
type DefaultSchema<Database> = "public" extends keyof Schemas<Database> ? "public" : SchemaName<Database>;

/** The options of supabase-js, with `dbSchema` in place of `db.schema`. */
export interface ClientOptions extends Omit<SupabaseClientOptions<string>, "db"> {
  /**
   * The project's schema, `SVC_DB_SCHEMA`: `proj_` and 32 hexadecimal digits. Without it the name `public` is sent, which
   * means the same schema; code for browsers has no other choice if its bundler hides the variable.
   */
  dbSchema?: string | undefined;
  /** The project's ref. It is read from the URL; give it where the URL is a domain of the project's own. */
  projectRef?: string | undefined;
  /** Options of supabase-js for the database, without the schema. */
  db?: Omit<NonNullable<SupabaseClientOptions<string>["db"]>, "schema">;
}

/**
 * A client of one project. Types made by `svc gen types` call the project's schema `public`, whatever `dbSchema` is.
 *
 * @param url the project's URL, `https://<ref>.<data_host>` or `…/p/<ref>`
 * @param anonKey `svc_anon_…`; on a server also the service-role key
 * @throws TypeError with what is missing or wrong
 */
export function createClient<
  Database = any,
  Name extends SchemaName<Database> = DefaultSchema<Database>,
>(url: string, anonKey: string, options: ClientOptions = {}): SupabaseClient<Database, Name> {
  const { dbSchema, projectRef, db, global, auth, realtime, ...others } = options;
  const address = addressOf(url);
  if (typeof anonKey !== "string" || anonKey.trim() === "") {
    throw new TypeError("createClient needs the project's anon key as its second argument (NEXT_PUBLIC_SVC_ANON_KEY).");
  }
  if (anonKey.startsWith("svc_pat_") || anonKey.startsWith("svc_mcp_")) {
    throw new TypeError(
      "createClient takes a key of the project, svc_anon_…; a personal access token is for the Management API alone.",
    );
  }
  if (dbSchema !== undefined && (typeof dbSchema !== "string" || dbSchema.trim() === "")) {
    throw new TypeError("dbSchema must be the project's schema, proj_… (SVC_DB_SCHEMA), or be left out.");
  }
  if (projectRef !== undefined && !isProjectRef(projectRef)) {
    throw new TypeError("projectRef must be the 8 characters of the project's ref.");
  }
  const ref = projectRef ?? projectRefOf(address);
  const transport = webSocket();
  const client = createSupabaseClient<any>(address.href, anonKey.trim(), {
    ...others,
    db: { ...db, schema: (dbSchema ?? "public") as "public" },
    // Where projects share a host, sessions of two of them would share a place in the browser's storage.
    auth: { ...(ref === undefined ? {} : { storageKey: `sb-${ref}-auth-token` }), ...auth },
    realtime: { vsn: REALTIME_VERSION, ...(transport === undefined ? {} : { transport }), ...realtime },
    global: { ...global, headers: { ...(ref === undefined ? {} : { "x-project-ref": ref }), ...global?.headers } },
  });
  return client as unknown as SupabaseClient<Database, Name>;
}

function addressOf(url: string): URL {
  const help = "createClient needs the project's URL as its first argument (NEXT_PUBLIC_SVC_URL), such as " +
    "https://<ref>.<data_host> or http://127.0.0.1:8000/p/<ref>.";
  if (typeof url !== "string" || url.trim() === "") throw new TypeError(help);
  let address: URL;
  try {
    address = new URL(url.trim());
  } catch {
    throw new TypeError(`${JSON.stringify(url)} is no URL. ${help}`);
  }
  if (address.protocol !== "https:" && address.protocol !== "http:") {
    throw new TypeError(`${JSON.stringify(url)} is no http or https address. ${help}`);
  }
  return address;
}
