interface ImportMetaEnv {
  readonly VITE_SVC_URL: string;
  readonly VITE_SVC_ANON_KEY: string;
  readonly VITE_SVC_DB_SCHEMA: string | undefined;
}
