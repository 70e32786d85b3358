// drizzle-kit: pushes a schema twice, pulls it, then generates and applies migrations in an emptied project. Prints what it said. The
// argument is an address; the token is in PGPASSWORD.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const client = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'drizzle-'));
const address = new URL(process.argv[2]);
address.password = process.env.PGPASSWORD;
/** A configuration whose files go to a folder of this name. */
const configuration = (name) => {
  const file = join(folder, `${name}.config.json`);
  const out = relative(client, join(folder, name));
  writeFileSync(
    file,
    JSON.stringify({ dialect: 'postgresql', schema: './orm/drizzle/schema.mjs', out, dbCredentials: { url: address.toString() } }),
  );
  return `--config=${relative(client, file)}`;
};

const kit = (...words) => {
  try {
    return execFileSync('node', ['node_modules/drizzle-kit/bin.cjs', ...words], {
      cwd: client,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new Error(`drizzle-kit ${words.join(' ')}: ${error.stdout} ${error.stderr}`);
  }
};

const seen = {};
const pulling = configuration('pulled');
seen.pushed = kit('push', '--force', pulling).includes('Changes applied');
seen.unchanged = kit('push', '--force', pulling).includes('No changes detected');
kit('pull', pulling);
const pulled = readFileSync(join(folder, 'pulled', 'schema.ts'), 'utf8');
seen.pulled = pulled.match(/export const \w+ = pg\w+/g);
seen.schemas = pulled.includes('pgSchema');

const database = new pg.Client({ connectionString: process.argv[2] });
await database.connect();
await database.query('drop view titles; drop table books, authors; drop type mood');
const migrations = configuration('migrations');
kit('generate', '--name=first', migrations);
seen.migrated = kit('migrate', migrations).includes('applied successfully');
kit('migrate', migrations);
seen.recorded = (await database.query('select count(*)::int from drizzle.__drizzle_migrations')).rows[0].count;
seen.tables =
  (await database.query("select table_name from information_schema.tables where table_schema = 'public' order by 1")).rows.map((
    table,
  ) => table.table_name);
await database.end();
console.log(JSON.stringify(seen));
