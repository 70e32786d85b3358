// The types of svc/migrations; `npm run types` generates them again.
export interface Database {
  __InternalSupabase: { PostgrestVersion: "14.1" };
  public: {
    Tables: {
      todos: {
        Row: { id: number; owner: string; title: string; done: boolean };
        Insert: { id?: never; owner?: string; title: string; done?: boolean };
        Update: { id?: never; owner?: string; title?: string; done?: boolean };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: { [_ in never]: never };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
}
