// The tables of the tests with drizzle-kit.
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, numeric, pgEnum, pgTable, pgView, serial, text, timestamp, unique, uuid, varchar } from 'drizzle-orm/pg-core';

export const mood = pgEnum('mood', ['sad', 'ok']);
export const authors = pgTable('authors', {
  id: serial('id').primaryKey(),
  uid: uuid('uid').defaultRandom().notNull().unique(),
  mood: mood('mood').default('ok'),
  name: varchar('name', { length: 200 }).notNull(),
  score: numeric('score', { precision: 10, scale: 2 }).default('0.5'),
  tags: text('tags').array(),
  about: jsonb('about'),
  made: timestamp('made', { withTimezone: true }).defaultNow(),
}, (table) => [index('by_name').on(table.name), check('positive', sql`${table.score} > 0`)]);
export const books = pgTable('books', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  author: integer('author').notNull().references(() => authors.id, { onDelete: 'cascade' }),
  title: text('title').default('untitled'),
}, (table) => [unique('once').on(table.title)]);
export const titles = pgView('titles').as((query) => query.select({ title: books.title }).from(books));
