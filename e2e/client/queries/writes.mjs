// Writing: inserts, upserts, updates, deletes, and what row security says of them.
import assert from 'node:assert/strict'

const log = ({ anon }) => anon.from('log')

export const writes = {
  insert: async (world) => {
    const { ok } = world
    assert.equal(await ok(log(world).insert({ id: 1, text: 'one' }), 201), null)
    assert.deepEqual(await ok(log(world).insert([{ id: 2, text: 'two' }, { id: 3 }]).select('id,text').order('id'), 201), [
      { id: 2, text: 'two' },
      { id: 3, text: null },
    ])
    const counted = await log(world).insert([{ id: 4 }, { id: 5 }], { count: 'exact' })
    assert.deepEqual([counted.count, counted.status], [2, 201])
  },
  'insert with defaults': async (world) => {
    const rows = await world.ok(log(world).insert([{ id: 6, text: 'x' }, { id: 7 }], { defaultToNull: false }).select().order('id'), 201)
    assert.deepEqual(rows.map((row) => row.text), ['x', 'said nothing'])
  },
  'insert refused': async (world) => {
    const { fails } = world
    const twice = await fails(log(world).insert({ id: 1 }), 409, '23505')
    assert.equal(twice.details, 'Key (id)=(1) already exists.')
    const column = await fails(log(world).insert({ nothing: 1 }), 400, 'PGRST204')
    assert.equal(column.message, "Could not find the 'nothing' column of 'log' in the schema cache")
    await fails(log(world).insert({ id: null }), 400, '23502')
    await fails(world.anon.from('items').insert({ id: 1, shop_id: 77, name: 'n' }), 401, '42501')
  },
  'insert with embedded answer': async ({ service, ok }) => {
    const made = service.from('items').insert({ id: 9, name: 'nine', shop_id: 2 }).select('id, shops(name)').single()
    assert.deepEqual(await ok(made, 201), { id: 9, shops: { name: 'south' } })
    assert.deepEqual(await ok(service.from('items').delete().eq('id', 9).select('id')), [{ id: 9 }])
  },
  upsert: async (world) => {
    const { ok } = world
    assert.deepEqual(await ok(log(world).upsert({ id: 1, text: 'again' }).select('id,text')), [{ id: 1, text: 'again' }])
    assert.deepEqual(await ok(log(world).upsert([{ id: 1, text: 'no' }, { id: 8, text: 'new' }], { ignoreDuplicates: true }).select('id'), 201), [
      { id: 8 },
    ])
    await ok(log(world).upsert({ id: 20, text: 'k', slug: 's' }, { onConflict: 'slug' }).select(), 201)
    const merged = log(world).upsert({ id: 20, text: 'kk', slug: 's' }, { onConflict: 'slug', count: 'exact' }).select('text')
    assert.deepEqual(await ok(merged), [{ text: 'kk' }])
  },
  update: async (world) => {
    const { ok } = world
    assert.equal(await ok(log(world).update({ text: 'changed' }).eq('id', 2), 204), null)
    assert.deepEqual(await ok(log(world).update({ text: 'more' }).in('id', [2, 3]).select('id').order('id')), [{ id: 2 }, { id: 3 }])
    const counted = await log(world).update({ text: 'c' }, { count: 'exact' }).lt('id', 3)
    assert.deepEqual([counted.count, counted.status], [2, 204])
    assert.deepEqual(await ok(log(world).update({ text: 'none' }).eq('id', 999).select()), [])
    const one = await world.fails(log(world).update({ text: 'all' }).lt('id', 4).select().single(), 406, 'PGRST116')
    assert.equal(one.details, 'The result contains 3 rows')
    assert.deepEqual(await ok(log(world).select('id').eq('text', 'all')), [])
  },
  maxAffected: async (world) => {
    const error = await world.fails(log(world).update({ text: 'many' }).lt('id', 4).maxAffected(2), 400, 'PGRST124')
    assert.equal(error.details, 'The query affects 3 rows')
    assert.deepEqual(await world.ok(log(world).select('id').eq('text', 'many')), [])
    await world.ok(log(world).update({ text: 'few' }).lt('id', 3).maxAffected(2), 204)
  },
  rollback: async (world) => {
    const { ok } = world
    assert.deepEqual(await ok(log(world).insert({ id: 50, text: 'gone' }).select('id').rollback(), 201), [{ id: 50 }])
    assert.deepEqual(await ok(log(world).select('id').eq('id', 50)), [])
  },
  delete: async (world) => {
    const { ok } = world
    assert.deepEqual(await ok(log(world).delete().eq('id', 1).select('id')), [{ id: 1 }])
    const counted = await log(world).delete({ count: 'exact' }).lt('id', 100)
    assert.equal(counted.status, 204)
    assert.ok(counted.count > 3)
    assert.deepEqual(await ok(log(world).select()), [])
  },
  'row security knows the user': async ({ anon, user, service, ok, fails }) => {
    const [ann, bob] = [user('ann'), user('bob')]
    assert.deepEqual(await ok(ann.from('notes').insert({ id: 1, text: 'of ann' }).select('owner'), 201), [{ owner: 'ann' }])
    await ok(bob.from('notes').insert({ id: 2, text: 'of bob' }), 201)
    assert.deepEqual(await ok(ann.from('notes').select('id')), [{ id: 1 }])
    assert.deepEqual(await ok(bob.from('notes').select('id')), [{ id: 2 }])
    assert.deepEqual(await ok(anon.from('notes').select('id')), [])
    assert.equal((await ok(service.from('notes').select('id'))).length, 2)
    assert.deepEqual(await ok(ann.from('notes').update({ text: 'mine' }).eq('id', 2).select()), [])
    const forged = await fails(ann.from('notes').insert({ id: 3, text: 'x', owner: 'bob' }), 403, '42501')
    assert.match(forged.message, /row-level security/)
    await fails(anon.from('notes').insert({ id: 4, text: 'x', owner: 'ann' }), 401, '42501')
  },
  'tokens that are not good': async ({ bearing, token, user, fails }) => {
    const notes = (client) => client.from('notes').select('id')
    const expired = await fails(notes(user('ann', { exp: 1 })), 401, 'PGRST303')
    assert.equal(expired.message, 'JWT expired')
    await fails(notes(bearing(`${token({ role: 'authenticated' })}x`)), 401, 'PGRST301')
    await fails(notes(bearing('a.b.c')), 401, 'PGRST301')
    const stranger = await notes(user('ann', { role: 'postgres' }))
    assert.ok(stranger.status === 401 || stranger.status === 403, `${stranger.status}`)
    assert.equal(stranger.data, null)
  },
}
