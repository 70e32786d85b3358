// Sequelize with node-postgres: sync, and sync again by altering tables to their models. Prints what its introspection shows. The argument
// is an address; the token is in PGPASSWORD.
import { DataTypes, Sequelize } from 'sequelize';

const address = new URL(process.argv[2]);
address.password = process.env.PGPASSWORD;
const sequelize = new Sequelize(address.toString(), { logging: false });
const Author = sequelize.define('author', {
  uid: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4, unique: true },
  name: { type: DataTypes.STRING(200), allowNull: false },
  mood: { type: DataTypes.ENUM('sad', 'ok'), defaultValue: 'ok' },
  tags: DataTypes.ARRAY(DataTypes.TEXT),
  about: DataTypes.JSONB,
}, { indexes: [{ fields: ['name'] }] });
const Book = sequelize.define('book', { title: DataTypes.TEXT, price: DataTypes.DECIMAL(10, 2) });
Author.hasMany(Book, { foreignKey: { allowNull: false }, onDelete: 'CASCADE' });

const columns = async (table) => {
  const described = await sequelize.getQueryInterface().describeTable(table);
  // Labels come in no order.
  Object.values(described).forEach((column) => column.special.sort());
  return described;
};
const described = async () => ({
  tables: (await sequelize.getQueryInterface().showAllTables()).sort(),
  author: await columns('authors'),
  keys: (await sequelize.getQueryInterface().getForeignKeyReferencesForTable('books')).map((key) =>
    `${key.columnName} ${key.referencedTableSchema}.${key.referencedTableName}.${key.referencedColumnName}`
  ),
  indexes: (await sequelize.getQueryInterface().showIndex('authors')).map((index) => index.name).sort(),
});
await sequelize.authenticate();
await sequelize.sync();
const first = await described();
await sequelize.sync({ alter: true });
const second = await described();
const seen = { tables: second.tables, keys: first.keys, indexes: first.indexes.slice(0, 2), enum: first.author.mood.special };
seen.changed = Object.keys(first.author).filter((name) => JSON.stringify(first.author[name]) !== JSON.stringify(second.author[name]));
await sequelize.transaction(async (transaction) => {
  const ann = await Author.create({ name: 'Ann', tags: ['a'], about: { pages: 1 } }, { transaction });
  await sequelize.transaction({ transaction }, (inner) => ann.createBook({ title: 'one', price: '1.50' }, { transaction: inner }));
});
const found = await Author.findOne({ include: Book, where: { about: { pages: 1 } } });
seen.found = [found.name, found.mood, found.tags, found.books.map((book) => book.title)];
await sequelize.drop({});
seen.left = await sequelize.getQueryInterface().showAllTables();
await sequelize.close();
console.log(JSON.stringify(seen));
