// node-postgres and postgres.js by themselves: types, batches, cursors, transactions inside of each other, COPY. Prints what each saw. The
// argument is an address; the token is in PGPASSWORD.
import pg from 'pg';
import postgres from 'postgres';

const seen = { pg: {}, postgres: {} };

const pool = new pg.Pool({ connectionString: process.argv[2], max: 2, application_name: 'drivers' });
await pool.query("create table ones (id serial primary key, about jsonb, tags text[], at timestamptz, bytes bytea)");
const values = [{ a: 1 }, ['x', 'ä'], new Date('2026-01-02T00:00:00Z'), Buffer.from([0, 255])];
const { rows: [one] } = await pool.query({
  name: 'insert one',
  text: 'insert into ones (about, tags, at, bytes) values ($1, $2, $3, $4) returning *',
  values,
});
seen.pg.same = JSON.stringify([one.about, one.tags, one.at, one.bytes]) === JSON.stringify(values);
const client = await pool.connect();
await client.query('begin isolation level serializable');
await client.query('savepoint a');
seen.pg.error = await client.query('select nothing from ones').catch((error) => [error.code, error.position]);
await client.query('rollback to savepoint a');
seen.pg.isolation = (await client.query('show transaction isolation level')).rows[0].transaction_isolation;
await client.query('commit');
client.release();
seen.pg.several = (await pool.query('select 1 as one; select 2 as two')).map((result) => result.rows[0]);
await pool.end();

const sql = postgres(process.argv[2], { max: 2, password: process.env.PGPASSWORD });
const [row] = await sql`insert into ones (about, tags, at, bytes) values
  (${sql.json(values[0])}, ${values[1]}, ${values[2]}, ${values[3]}) returning about, tags, at, bytes`;
seen.postgres.same = JSON.stringify(Object.values(row)) === JSON.stringify(values);
await sql`insert into ones ${sql(Array.from({ length: 100 }, () => ({ tags: ['x'] })))}`;
let read = 0;
await sql`select * from ones`.cursor(10, (rows) => void (read += rows.length));
seen.postgres.cursor = read;
seen.postgres.transaction = await sql.begin(async (sql) => {
  await sql.savepoint(async (sql) => {
    await sql`delete from ones`;
    throw new Error('undone');
  }).catch(() => {});
  return (await sql`select count(*)::int from ones`)[0].count;
});
seen.postgres.pipelined = (await Promise.all(Array.from({ length: 20 }, (_, i) => sql`select ${i}::int as i`))).map(([{ i }]) => i).length;
const copied = [];
for await (const chunk of await sql`copy (select id from ones order by id limit 2) to stdout`.readable()) {
  copied.push(chunk.toString());
}
seen.postgres.copied = copied.join('');
seen.postgres.listen = await sql.listen('a', () => {}).then(() => 'listens', (error) => error.code);
await sql.end();
console.log(JSON.stringify(seen));
