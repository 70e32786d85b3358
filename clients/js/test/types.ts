// Checked by the compiler alone, as code that imports the package.
import { createClient, type SupabaseClient } from "@svc/client";

interface Database {
  __InternalSupabase: { PostgrestVersion: "14.1" };
  public: {
    Tables: {
      todos: {
        Row: { id: number; title: string };
        Insert: { id?: number; title: string };
        Update: { id?: number; title?: string };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: Record<never, never>;
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
}

export async function typed(url: string, key: string, schema: string | undefined): Promise<string[]> {
  const client = createClient<Database>(url, key, { dbSchema: schema });
  const same: SupabaseClient<Database> = client;
  const { data } = await same.from("todos").select("id,title").eq("title", "x");
  // @ts-expect-error there is no table of that name
  client.from("todo");
  // @ts-expect-error a title is required
  client.from("todos").insert({ id: 1 });
  // @ts-expect-error the schema is named by dbSchema
  createClient(url, key, { db: { schema: "public" } });
  return (data ?? []).map((row) => row.title);
}

export async function untyped(url: string, key: string): Promise<unknown> {
  return (await createClient(url, key, { dbSchema: "proj_0" }).from("anything").select()).data;
}
