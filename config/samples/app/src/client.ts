import { createClient } from "@svc/client";
import type { Database } from "./database.js";

const { VITE_SVC_URL, VITE_SVC_ANON_KEY, VITE_SVC_DB_SCHEMA } = import.meta.env;

export const client = createClient<Database>(VITE_SVC_URL, VITE_SVC_ANON_KEY, { dbSchema: VITE_SVC_DB_SCHEMA });
