// The whole query builder of the client library against one project: what an application gets for each call.
// Input, as JSON in the first argument: { url, key, serviceKey, schema, secret }. The secret signs users' tokens.
// Output, as JSON: { passed: [name], failed: [{ name, error }] }.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { reads } from './queries/reads.mjs'
import { writes } from './queries/writes.mjs'
import { calls } from './queries/calls.mjs'

const { url, key, serviceKey, schema, secret } = JSON.parse(process.argv[2])

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token as the application's own sign-in would make it. */
const token = (claims) => {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const client = (withKey, bearer, options = {}) =>
  createClient(url, withKey, {
    db: { schema },
    auth: { persistSession: false, autoRefreshToken: false },
    ...(bearer ? { global: { headers: { Authorization: `Bearer ${bearer}` } } } : {}),
    ...options,
  })

const world = {
  schema,
  anon: client(key),
  service: client(serviceKey),
  user: (sub, claims = {}) => client(key, token({ role: 'authenticated', sub, ...claims })),
  bearing: (bearer) => client(key, bearer),
  token,
  client,
  /** The data of an answer that must not be an error. */
  ok: async (query, status = 200) => {
    const answer = await query
    assert.equal(answer.error, null, JSON.stringify(answer.error))
    assert.equal(answer.status, status)
    return answer.data
  },
  /** The error of an answer, as the client shows it. */
  fails: async (query, status, code) => {
    const { data, error, status: seen } = await query
    assert.equal(seen, status, JSON.stringify(error ?? data))
    assert.equal(data, null)
    for (const key of ['code', 'details', 'hint', 'message']) assert.ok(key in error, `${key} of ${JSON.stringify(error)}`)
    assert.equal(error.code, code)
    return error
  },
}

const passed = []
const failed = []
for (const [name, run] of Object.entries({ ...reads, ...writes, ...calls })) {
  try {
    await run(world)
    passed.push(name)
  } catch (error) {
    failed.push({ name, error: String(error?.stack ?? error).slice(0, 1000) })
  }
}
console.log(JSON.stringify({ passed, failed }))
