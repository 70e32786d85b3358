// Reading: filters, modifiers, embedded resources, counts and formats.
import assert from 'node:assert/strict'

const ids = (rows) => rows.map((row) => row.id)

/** Which items a filter leaves, by id. */
const left = async ({ anon, ok }, narrowed) => ids(await ok(narrowed(anon.from('items').select('id')).order('id')))

const filters = {
  eq: [(q) => q.eq('name', 'b,(c)'), [2]],
  neq: [(q) => q.neq('id', 1), [2, 3]],
  gt: [(q) => q.gt('price', 2), [3]],
  gte: [(q) => q.gte('price', 2), [2, 3]],
  lt: [(q) => q.lt('price', 2), [1]],
  lte: [(q) => q.lte('price', 2), [1, 2]],
  like: [(q) => q.like('name', '%p%'), [1]],
  likeAllOf: [(q) => q.likeAllOf('name', ['a%', '%e']), [1]],
  likeAnyOf: [(q) => q.likeAnyOf('name', ['a%', 'Z%']), [1, 3]],
  ilike: [(q) => q.ilike('name', 'z%'), [3]],
  ilikeAllOf: [(q) => q.ilikeAllOf('name', ['A%', '%E']), [1]],
  ilikeAnyOf: [(q) => q.ilikeAnyOf('name', ['A%', 'z%']), [1, 3]],
  is: [(q) => q.is('sold', null), [3]],
  isTrue: [(q) => q.is('sold', true), [1]],
  in: [(q) => q.in('name', ['apple', 'b,(c)']), [1, 2]],
  inNothing: [(q) => q.in('id', []), []],
  containsArray: [(q) => q.contains('tags', ['x']), [1, 2]],
  containsJson: [(q) => q.contains('extra', { a: 1 }), [1]],
  containsRange: [(q) => q.contains('period', '[2,3)'), [1]],
  containedBy: [(q) => q.containedBy('tags', ['x', 'z']), [2]],
  rangeGt: [(q) => q.rangeGt('period', '[1,5)'), [2]],
  rangeGte: [(q) => q.rangeGte('period', '[5,6)'), [2]],
  rangeLt: [(q) => q.rangeLt('period', '[5,9)'), [1]],
  rangeLte: [(q) => q.rangeLte('period', '[1,5)'), [1]],
  rangeAdjacent: [(q) => q.rangeAdjacent('period', '[9,12)'), [2]],
  overlapsRange: [(q) => q.overlaps('period', '[4,6)'), [1, 2]],
  overlapsArray: [(q) => q.overlaps('tags', ['y']), [1]],
  textSearch: [(q) => q.textSearch('words', "'quick' & 'fox'"), [1]],
  textSearchPlain: [(q) => q.textSearch('words', 'quick fox', { type: 'plain', config: 'english' }), [1]],
  textSearchPhrase: [(q) => q.textSearch('words', 'quick brown', { type: 'phrase', config: 'english' }), [1]],
  textSearchWeb: [(q) => q.textSearch('words', 'fox or dog', { type: 'websearch', config: 'english' }), [1, 2]],
  match: [(q) => q.match({ name: 'apple', sold: true }), [1]],
  not: [(q) => q.not('id', 'in', '(1,2)'), [3]],
  notIs: [(q) => q.not('sold', 'is', null), [1, 2]],
  or: [(q) => q.or('id.eq.1,and(price.gt.2,name.like.Z*)'), [1, 3]],
  filter: [(q) => q.filter('extra->>a', 'eq', '1'), [1]],
  filterNested: [(q) => q.eq('extra->b->>c', 'deep'), [2]],
  unicode: [(q) => q.eq('name', 'Zoë & "co"'), [3]],
}

const each = Object.fromEntries(
  Object.entries(filters).map(([name, [narrow, expected]]) => [
    `filter ${name}`,
    async (world) => assert.deepEqual(await left(world, narrow), expected),
  ])
)

const shapes = {
  'select: alias, cast, json, computed': async ({ anon, ok }) =>
    assert.deepEqual(
      await ok(anon.from('items').select('n:name, price::text, extra->a, c:extra->b->>c, shout').eq('id', 1).single()),
      { n: 'apple', price: '1.5', a: 1, c: null, shout: 'APPLE' }
    ),
  'order, limit, range': async ({ anon, ok }) => {
    const items = () => anon.from('items').select('id')
    assert.deepEqual(ids(await ok(items().order('sold', { nullsFirst: true }).order('id', { ascending: false }))), [3, 2, 1])
    assert.deepEqual(ids(await ok(items().order('id').limit(2))), [1, 2])
    assert.deepEqual(ids(await ok(items().order('id').range(1, 2))), [2, 3])
  },
  'single and maybeSingle': async ({ anon, ok, fails }) => {
    const items = (id) => anon.from('items').select('id').eq('id', id)
    assert.deepEqual(await ok(items(1).single()), { id: 1 })
    const error = await fails(items(99).single(), 406, 'PGRST116')
    assert.equal(error.details, 'The result contains 0 rows')
    assert.equal(error.message, 'Cannot coerce the result to a single JSON object')
    assert.equal(await ok(items(99).maybeSingle()), null)
    assert.deepEqual(await ok(items(1).maybeSingle()), { id: 1 })
    const many = await anon.from('items').select('id').maybeSingle()
    assert.equal(many.status, 406)
    assert.equal(many.error.code, 'PGRST116')
  },
  counts: async ({ anon }) => {
    for (const count of ['exact', 'planned', 'estimated']) {
      const answer = await anon.from('items').select('id', { count }).order('id').limit(1)
      assert.deepEqual(answer.data, [{ id: 1 }])
      assert.ok(count === 'exact' ? answer.count === 3 : Number.isInteger(answer.count), `${count}: ${answer.count}`)
    }
    const head = await anon.from('items').select('*', { count: 'exact', head: true })
    assert.deepEqual([head.data, head.count, head.error], [null, 3, null])
    const beyond = await anon.from('items').select('id', { count: 'exact' }).range(10, 12)
    assert.deepEqual([beyond.status, beyond.error.code], [416, 'PGRST103'])
  },
  'embed: to-one, to-many, many-to-many, one-to-one, nested': async ({ anon, ok }) => {
    const [found] = await ok(
      anon.from('items').select('id, shop:shops(name, items(id)), labels(name), manual(text)').eq('id', 1)
    )
    found.shop.items.sort((a, b) => a.id - b.id)
    assert.deepEqual(found, {
      id: 1,
      shop: { name: 'north', items: [{ id: 1 }, { id: 2 }] },
      labels: [{ name: 'new' }],
      manual: { text: 'read me' },
    })
  },
  'embed: hints, ambiguity, no relationship': async ({ anon, ok, fails }) => {
    const transfers = (columns) => anon.from('transfers').select(columns)
    assert.deepEqual(await ok(transfers('from:shops!transfers_source_fkey(name), to:shops!target(name)')), [
      { from: { name: 'north' }, to: { name: 'south' } },
    ])
    const ambiguous = await fails(transfers('shops(name)'), 300, 'PGRST201')
    assert.equal(ambiguous.details.length, 2)
    const none = await fails(anon.from('shops').select('manual(text)'), 400, 'PGRST200')
    assert.match(none.message, /^Could not find a relationship between 'shops' and 'manual'/)
  },
  'embed: inner, left, null tests, empty': async ({ anon, ok }) => {
    const inner = anon.from('items').select('id, shops!inner(name)').eq('shops.name', 'north').order('id')
    assert.deepEqual(ids(await ok(inner)), [1, 2])
    const without = anon.from('items').select('id, manual()').is('manual', null).order('id')
    assert.deepEqual(await ok(without), [{ id: 2 }, { id: 3 }])
    const either = anon.from('items').select('id, manual(), labels()').or('manual.not.is.null,labels.not.is.null')
    assert.deepEqual(ids(await ok(either.order('id'))), [1, 2])
  },
  'embed: filters, order, limit and or of the resource': async ({ anon, ok }) => {
    const shops = () => anon.from('shops').select('name, items(id)').order('name')
    const ordered = shops().order('id', { referencedTable: 'items', ascending: false }).limit(1, { referencedTable: 'items' })
    assert.deepEqual(await ok(ordered), [
      { name: 'north', items: [{ id: 2 }] },
      { name: 'south', items: [{ id: 3 }] },
    ])
    const ranged = shops().order('id', { referencedTable: 'items' }).range(1, 1, { referencedTable: 'items' })
    assert.deepEqual(await ok(ranged), [
      { name: 'north', items: [{ id: 2 }] },
      { name: 'south', items: [] },
    ])
    const chosen = shops().or('id.eq.1,id.eq.3', { referencedTable: 'items' })
    assert.deepEqual((await ok(chosen)).map((shop) => ids(shop.items)), [[1], [3]])
  },
  'embed: spread and order by the related': async ({ anon, ok }) => {
    const rows = anon.from('items').select('id, ...shops(shop:name)').order('shops(name)', { ascending: false }).order('id')
    assert.deepEqual(await ok(rows), [
      { id: 3, shop: 'south' },
      { id: 1, shop: 'north' },
      { id: 2, shop: 'north' },
    ])
    assert.deepEqual(await ok(anon.from('shops').select('name, ...items(ids:id)').order('name').order('id', { referencedTable: 'items' })), [
      { name: 'north', ids: [1, 2] },
      { name: 'south', ids: [3] },
    ])
  },
  aggregates: async ({ anon, ok }) =>
    assert.deepEqual(await ok(anon.from('items').select('shop_id, total:price.sum(), count()').order('shop_id')), [
      { shop_id: 1, total: 3.5, count: 2 },
      { shop_id: 2, total: 7, count: 1 },
    ]),
  csv: async ({ anon, ok }) =>
    assert.equal(await ok(anon.from('items').select('id,name').lt('id', 3).order('id').csv()), 'id,name\n1,apple\n2,"b,(c)"'),
  'geojson without PostGIS': async ({ anon, fails }) => fails(anon.from('items').select().geojson(), 406, 'PGRST107'),
  'nulls are stripped': async ({ anon, ok }) =>
    assert.deepEqual(
      await ok(anon.from('items').select('id,sold').eq('id', 3).setHeader('Accept', 'application/vnd.pgrst.array+json;nulls=stripped')),
      [{ id: 3 }]
    ),
  explain: async ({ anon, ok }) => {
    assert.match(await ok(anon.from('items').select().explain()), /cost=/)
    const [{ Plan }] = await ok(anon.from('items').select().explain({ format: 'json', analyze: true, verbose: true }))
    assert.ok(Plan['Actual Rows'] >= 0)
  },
  'schema()': async ({ anon, schema, ok, fails }) => {
    assert.equal((await ok(anon.schema(schema).from('items').select('id'))).length, 3)
    assert.equal((await ok(anon.schema('public').from('items').select('id'))).length, 3)
    await fails(anon.schema('pg_catalog').from('pg_class').select(), 406, 'PGRST106')
  },
  throwOnError: async ({ anon }) => {
    await assert.rejects(
      async () => anon.from('item').select().throwOnError(),
      (error) => {
        assert.deepEqual([error.name, error.code], ['PostgrestError', 'PGRST205'])
        assert.match(error.hint, /^Perhaps you meant the table '.*\.items'$/)
        return true
      }
    )
  },
  abortSignal: async ({ anon, ok }) => {
    const cancelled = await anon.rpc('wait').abortSignal(AbortSignal.timeout(100))
    assert.match(cancelled.error.message, /Timeout|Abort/)
    assert.equal((await ok(anon.from('items').select('id'))).length, 3)
  },
  'overrideTypes and returns change nothing': async ({ anon, ok }) => {
    assert.equal((await ok(anon.from('items').select('id').overrideTypes())).length, 3)
    assert.equal((await ok(anon.from('items').select('id').returns())).length, 3)
  },
  'many values in one filter': async ({ anon, ok }) => {
    const many = Array.from({ length: 600 }, (unused, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)
    assert.deepEqual(ids(await ok(anon.from('items').select('id').in('code', many).order('id'))), [1, 2, 3])
  },
  'errors of PostgreSQL': async ({ anon, fails }) => {
    assert.equal(
      (await fails(anon.from('items').select().eq('id', 'x'), 400, '22P02')).message,
      'invalid input syntax for type integer: "x"'
    )
    const column = await fails(anon.from('items').select('nothing'), 400, '42703')
    assert.equal(column.message, 'column items.nothing does not exist')
    await fails(anon.from('items').select('id').order('nothing'), 400, '42703')
    await fails(anon.from('items').select('id,'), 400, 'PGRST100')
    await fails(anon.from('items').select('id').limit(1, { referencedTable: 'labels' }), 400, 'PGRST108')
  },
}

export const reads = { ...each, ...shapes }
