// TypeORM, unchanged: creates the tables of entities by the PostgreSQL endpoint, and asks what a second synchronization would do. Prints
// the names of the tables and its statements as JSON. The argument is an address; the token is in PGPASSWORD.
import { DataSource, EntitySchema } from 'typeorm';

const Author = new EntitySchema({
  name: 'author',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    number: { type: 'int', generated: 'increment' },
    name: { type: 'varchar', length: 200, default: 'x', unique: true },
    mood: { type: 'enum', enum: ['sad', 'ok'], default: 'ok' },
    score: { type: 'numeric', precision: 10, scale: 2, nullable: true },
    tags: { type: 'text', array: true, nullable: true },
    made: { type: 'timestamptz', createDate: true },
  },
  indices: [{ columns: ['score'] }],
});
const Book = new EntitySchema({
  name: 'book',
  columns: { id: { type: 'int', primary: true, generated: 'increment' }, title: { type: 'text', nullable: true } },
  relations: { author: { type: 'many-to-one', target: 'author', onDelete: 'CASCADE', nullable: false } },
});

const source = new DataSource({
  type: 'postgres',
  url: process.argv[2],
  entities: [Author, Book],
  uuidExtension: 'pgcrypto',
  installExtensions: false,
});
await source.initialize();
await source.synchronize();
const again = await source.driver.createSchemaBuilder().log();
const tables = await source.query(
  "select table_name from information_schema.tables where table_schema = 'public' order by 1",
);
console.log(JSON.stringify({
  tables: tables.map((table) => table.table_name),
  differences: again.upQueries.map((query) => query.query),
}));
await source.destroy();
