// Knex with node-postgres: migrations with its lock, back again, transactions inside of each other, a stream by a cursor. Prints what it
// saw. The argument is an address; the token is in PGPASSWORD.
import knex from 'knex';

const migrations = [{
  name: '1_authors',
  up: (db) =>
    db.schema.createTable('authors', (table) => {
      table.increments('id');
      table.uuid('uid').defaultTo(db.fn.uuid()).unique();
      table.string('name', 200).notNullable().index();
    }),
  down: (db) => db.schema.dropTable('authors'),
}, {
  name: '2_books',
  up: (db) =>
    db.schema.createTable('books', (table) => {
      table.bigIncrements('id');
      table.integer('author').references('authors.id').onDelete('CASCADE');
      table.enu('mood', ['sad', 'ok'], { useNative: true, enumName: 'mood' });
      table.jsonb('about');
      table.timestamps(true, true);
    }),
  down: async (db) => {
    await db.schema.dropTable('books');
    await db.raw('drop type mood');
  },
}];
const db = knex({
  client: 'pg',
  connection: { connectionString: process.argv[2], password: process.env.PGPASSWORD },
  searchPath: ['public'],
  migrations: {
    migrationSource: {
      getMigrations: () => Promise.resolve(migrations),
      getMigrationName: (migration) => migration.name,
      getMigration: (migration) => migration,
    },
  },
});

const seen = { first: (await db.migrate.latest())[1], second: (await db.migrate.latest())[1] };
seen.has = [await db.schema.hasTable('books'), await db.schema.hasTable('nothing'), await db.schema.hasColumn('books', 'mood')];
seen.columns = await db('authors').columnInfo();
await db.transaction(async (outer) => {
  await outer('authors').insert([{ name: 'Ann' }, { name: 'Bob' }]);
  await outer.transaction(async (inner) => {
    await inner('authors').delete();
    throw new Error('undone');
  }).catch(() => {});
  await outer('books').insert({ author: 1, mood: 'ok', about: { pages: 2 } }).onConflict('id').merge();
});
seen.names = await db('authors').orderBy('id').pluck('name');
seen.joined = await db('books').join('authors', 'authors.id', 'books.author').first('mood', 'about');
seen.down = (await db.migrate.rollback())[1];
seen.left = await db.schema.hasTable('books');
await db.destroy();
console.log(JSON.stringify(seen));
