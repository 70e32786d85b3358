// Functions: every shape of answer, every way to call.
import assert from 'node:assert/strict'

export const calls = {
  'rpc: scalar, by POST and GET': async ({ anon, ok }) => {
    assert.equal(await ok(anon.rpc('add', { a: 1, b: 2 })), 3)
    assert.equal(await ok(anon.rpc('add', { a: 1, b: 2 }, { get: true })), 3)
    assert.equal(await ok(anon.rpc('add', { a: 1 })), 11)
  },
  'rpc: arrays and json as arguments': async ({ anon, ok }) => {
    assert.equal(await ok(anon.rpc('joined', { parts: ['a', 'b,c', null] })), 'a-b,c')
    assert.equal(await ok(anon.rpc('joined', { parts: ['a', 'b'] }, { get: true })), 'a-b')
    assert.deepEqual(await ok(anon.rpc('same', { value: { deep: [1, null, 'x'] } })), { deep: [1, null, 'x'] })
  },
  'rpc: void, null, sets, rows': async ({ anon, ok }) => {
    assert.equal(await ok(anon.rpc('nothing'), 204), null)
    assert.equal(await ok(anon.rpc('same', { value: null })), null)
    assert.deepEqual(await ok(anon.rpc('numbers', { most: 3 })), [1, 2, 3])
    assert.deepEqual(await ok(anon.rpc('pair')), { x: 1, y: 'two' })
  },
  'rpc: filters, order, embedding, single': async ({ anon, ok }) => {
    const cheap = () => anon.rpc('cheaper', { than: 5 })
    assert.deepEqual(await ok(cheap().select('id, shops(name)').gt('id', 1)), [{ id: 2, shops: { name: 'north' } }])
    assert.deepEqual(await ok(cheap().select('id').order('id', { ascending: false }).limit(1).single()), { id: 2 })
  },
  'rpc: count and head': async ({ anon }) => {
    const counted = await anon.rpc('cheaper', { than: 5 }, { count: 'exact' }).select('id').limit(1)
    assert.deepEqual([counted.count, counted.data.length], [2, 1])
    const head = await anon.rpc('cheaper', { than: 5 }, { head: true, count: 'exact' })
    assert.deepEqual([head.data, head.count, head.error], [null, 2, null])
  },
  'rpc: csv and explain': async ({ anon, ok }) => {
    assert.equal(await ok(anon.rpc('cheaper', { than: 5 }).select('id').order('id').csv()), 'id\n1\n2')
    assert.match(await ok(anon.rpc('numbers', { most: 3 }).explain()), /cost=/)
  },
  'rpc: a read-only call cannot write': async ({ anon, fails }) => fails(anon.rpc('writes', {}, { get: true }), 405, '25006'),
  'rpc: rollback': async ({ anon, ok }) => {
    await ok(anon.rpc('writes').rollback(), 204)
    assert.deepEqual(await ok(anon.from('log').select('id').eq('id', 900)), [])
  },
  'rpc: errors': async ({ anon, fails }) => {
    const missing = await fails(anon.rpc('ad', { a: 1 }), 404, 'PGRST202')
    assert.match(missing.message, /^Could not find the function .*\.ad\(a\) in the schema cache$/)
    await fails(anon.rpc('add', { c: 1 }), 404, 'PGRST202')
    await fails(anon.rpc('add', { a: 'x' }), 400, '22P02')
    const raised = await fails(anon.rpc('raises'), 400, 'P0001')
    assert.deepEqual([raised.message, raised.details, raised.hint], ['no luck', 'at all', 'try later'])
    const chosen = await anon.rpc('refuses')
    assert.deepEqual([chosen.status, chosen.error.code, chosen.error.message], [418, 'tea', 'I brew'])
  },
  'rpc: the request is seen': async ({ user, ok }) => {
    const seen = await ok(user('ann').rpc('whoami'))
    assert.equal(seen.sub, 'ann')
    assert.equal(seen.role, 'authenticated')
    assert.match(seen.agent, /^supabase-js/)
  },
}
