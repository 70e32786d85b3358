// Kysely's Migrator with node-postgres: up, up again, down. Prints what it did and what its introspection shows. The argument is an
// address; the token is in PGPASSWORD.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';

const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: process.argv[2] }) }) });
const migrations = {
  '1_authors': {
    up: (db) =>
      db.schema.createTable('authors').addColumn('id', 'serial', (column) => column.primaryKey()).addColumn(
        'uid',
        'uuid',
        (column) => column.defaultTo(sql`gen_random_uuid()`).notNull(),
      ).execute(),
    down: (db) => db.schema.dropTable('authors').execute(),
  },
  '2_books': {
    up: async (db) => {
      await db.schema.createType('mood').asEnum(['sad', 'ok']).execute();
      await db.schema.createTable('books').addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
        .addColumn('author', 'integer', (column) => column.references('authors.id').onDelete('cascade').notNull())
        .addColumn('mood', sql`mood`).execute();
      await db.schema.createIndex('books_author').on('books').column('author').execute();
    },
    down: async (db) => {
      await db.schema.dropTable('books').execute();
      await db.schema.dropType('mood').execute();
    },
  },
};
const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });

const done = ({ error, results }) => {
  if (error) {
    throw error;
  }
  return results.map(({ migrationName, direction, status }) => `${migrationName} ${direction} ${status}`);
};
const seen = { first: done(await migrator.migrateToLatest()), second: done(await migrator.migrateToLatest()) };
const tables = await db.introspection.getTables();
seen.tables = tables.filter(({ schema }) => schema === 'public').map(({ schema, name, columns }) => `${schema}.${name}(${columns.map((column) => column.name)})`);
await db.transaction().execute(async (transaction) => {
  const { id } = await transaction.insertInto('authors').defaultValues().returning('id').executeTakeFirstOrThrow();
  await transaction.insertInto('books').values({ author: id, mood: 'ok' }).execute();
});
seen.joined = await db.selectFrom('books').innerJoin('authors', 'authors.id', 'books.author').select(['mood']).execute();
seen.down = done(await migrator.migrateDown());
await db.destroy();
console.log(JSON.stringify(seen));
