// An application of Supabase whose database was adopted: its old keys, its users' old tokens, its policies.
// Input, as JSON in the first argument: { url, secret }. The secret is the project's old JWT secret.
// Output, as JSON: { passed: [name], failed: [{ name, error }] }.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'

const { url, secret } = JSON.parse(process.argv[2])
const ANN = '11111111-1111-4111-8111-111111111111'
const BOB = '22222222-2222-4222-8222-222222222222'

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (claims, withSecret = secret) => {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', withSecret).update(text).digest('base64url')}`
}

/** As the dashboard shows it: a token of ten years for a role. */
const key = (role) => sign({ iss: 'supabase', ref: 'abcdefghijklmnopqrst', role, iat: 1700000000, exp: 2015000000 })
const soon = () => Math.floor(Date.now() / 1000) + 600
const userToken = (sub, email, more = {}) =>
  sign({ aud: 'authenticated', exp: soon(), sub, email, role: 'authenticated', session_id: ANN, ...more })

const options = { auth: { persistSession: false, autoRefreshToken: false } }
const anon = createClient(url, key('anon'), options)
const service = createClient(url, key('service_role'), options)
const user = (token) =>
  createClient(url, key('anon'), { ...options, global: { headers: { Authorization: `Bearer ${token}` } } })
const ann = user(userToken(ANN, 'ann@example.com'))

const data = async (query, status = 200) => {
  const answer = await query
  assert.equal(answer.error, null, JSON.stringify(answer.error))
  assert.equal(answer.status, status)
  return answer.data
}
const refused = async (query, status, code) => {
  const answer = await query
  assert.equal(answer.status, status, JSON.stringify(answer))
  assert.equal(answer.error.code, code)
}
const bodies = async (client) => (await data(client.from('notes').select('body').order('id'))).map((row) => row.body)

const checks = {
  'the old anon key sees what anon may see': async () => assert.deepEqual(await bodies(anon), ['for everybody']),
  'a user sees what is hers, by auth.uid()': async () =>
    assert.deepEqual(await bodies(ann), ['for everybody', 'for Ann']),
  'a token of version 2 of the client is taken from accessToken': async () => {
    const client = createClient(url, key('anon'), { accessToken: async () => userToken(BOB, 'bob@example.com') })
    assert.deepEqual(await bodies(client), ['for everybody', 'for Bob'])
  },
  'claims of the token decide, by auth.jwt()': async () =>
    assert.deepEqual(
      await bodies(user(userToken(BOB, 'bob@example.com', { app_metadata: { role: 'admin' } }))),
      ['for everybody', 'for Ann', 'for Bob']
    ),
  'the old service key passes row security': async () =>
    assert.deepEqual(await bodies(service), ['for everybody', 'for Ann', 'for Bob']),
  'functions know who calls': async () => {
    assert.deepEqual(await data(ann.rpc('whoami')), {
      uid: ANN, role: 'authenticated', email: 'ann@example.com', user: 'authenticated',
    })
    assert.deepEqual(await data(anon.rpc('whoami')), { uid: null, role: 'anon', email: null, user: 'anon' })
  },
  'resources are embedded': async () =>
    assert.deepEqual(await data(ann.from('notes').select('body,profiles(name)').eq('body', 'for Ann').single()), {
      body: 'for Ann', profiles: { name: 'Ann' },
    }),
  'a row belongs to who inserts it': async () => {
    const row = await data(ann.from('notes').insert({ body: 'new' }).select('owner,body').single(), 201)
    assert.deepEqual(row, { owner: ANN, body: 'new' })
    assert.deepEqual(await data(ann.from('notes').update({ body: 'newer' }).eq('body', 'new').select('body')), [
      { body: 'newer' },
    ])
    assert.deepEqual(await data(user(userToken(BOB, 'b')).from('notes').delete().eq('body', 'newer').select()), [])
    assert.equal((await data(ann.from('notes').delete().eq('body', 'newer').select())).length, 1)
  },
  'nobody inserts for another': async () => {
    await refused(ann.from('notes').insert({ owner: BOB, body: 'x' }), 403, '42501')
    await refused(anon.from('notes').insert({ owner: ANN, body: 'x' }), 401, '42501')
  },
  'what is not exposed is not there': async () => {
    await refused(anon.schema('auth').from('users').select(), 406, 'PGRST106')
    await refused(anon.from('users').select(), 404, 'PGRST205')
  },
  'a token that has expired or is another secret’s is refused': async () => {
    await refused(user(userToken(ANN, 'a', { exp: 1700000000 })).from('notes').select(), 401, 'PGRST303')
    const forged = user(sign({ role: 'service_role', exp: soon() }, 'another secret that nobody here has'))
    assert.equal((await forged.from('notes').select()).status, 401)
    await refused(user(userToken(ANN, 'a', { role: 'authenticator_admin' })).from('notes').select(), 401, '22023')
  },
}

const passed = []
const failed = []
for (const [name, run] of Object.entries(checks)) {
  try {
    await run()
    passed.push(name)
  } catch (error) {
    failed.push({ name, error: String(error.stack ?? error) })
  }
}
console.log(JSON.stringify({ passed, failed }))
