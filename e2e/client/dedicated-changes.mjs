// An application of a project with a database of its own: table changes with row security, messages of the database,
// presence, and a sidecar that dies. What it needs comes as JSON in the first argument: { url, key, serviceKey, act,
// neighbourUrl, neighbourKey, neighbourServiceKey }. What it saw goes to standard output as JSON.
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'

const given = JSON.parse(process.argv[2])
const seen = {}
const open = []

/** A value that is set once. */
const promise = (patience = 30000) => {
  let settle
  const value = new Promise((resolve) => (settle = resolve))
  const late = setTimeout(() => settle('nothing came'), patience)
  return [value.finally(() => clearTimeout(late)), settle]
}

const client = (url, key) => {
  const made = createClient(url, key, {
    // The first join waits for the start of a process. Everything else is as the client has it.
    realtime: { transport: WebSocket, timeout: 60000 },
    auth: { persistSession: false },
  })
  open.push(made)
  return made
}

/** Follows the inserts of a table; resolves when changes flow. */
const follow = (from, name, received, status = () => {}) =>
  new Promise((resolve) =>
    from
      .channel(name)
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'note' }, (change) => received(change.new))
      .on('system', {}, () => {})
      .subscribe((state, error) => {
        status(state)
        resolve(error ? `${state}: ${error.message}` : state)
      }))

const insert = async (into, row) => {
  const { error } = await into.from('note').insert(row)
  if (error) throw error
}

const anon = client(given.url, given.key)
const admin = client(given.url, given.serviceKey)

if (given.act === 'walk') {
  const [change, gotChange] = promise()
  const got = []
  seen.subscribed = await follow(anon, 'notes', (row) => {
    got.push(row.text)
    if (row.text === 'shown') gotChange(row)
  })
  await insert(admin, { id: 1, text: 'hidden', hidden: true })
  await insert(admin, { id: 2, text: 'shown', hidden: false })
  await change
  seen.changes = got

  const [message, gotMessage] = promise()
  const room = anon.channel('room').on('broadcast', { event: 'shouted' }, (sent) => gotMessage(sent.payload.word))
  await new Promise((resolve) => room.subscribe(resolve))
  const shouted = await admin.rpc('shout', { word: 'héllo' })
  if (shouted.error) throw shouted.error
  seen.message = await message

  const [byRequest, gotByRequest] = promise()
  room.on('broadcast', { event: 'requested' }, (sent) => gotByRequest(sent.payload.n))
  const response = await fetch(`${given.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: given.key, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ topic: 'room', event: 'requested', payload: { n: 1 } }] }),
  })
  seen.status = response.status
  seen.byRequest = await byRequest

  const [joined, gotJoined] = promise()
  const other = client(given.url, given.key)
  const here = anon.channel('lobby', { config: { presence: { key: 'ann' } } })
  const there = other.channel('lobby', { config: { presence: { key: 'bob' } } })
  there.on('presence', { event: 'join' }, ({ key, newPresences }) => key === 'ann' && gotJoined(newPresences[0].mood))
  await new Promise((resolve) => there.subscribe(resolve))
  here.on('presence', { event: 'sync' }, () => {})
  await new Promise((resolve) => here.subscribe(resolve))
  await here.track({ mood: 'fine' })
  seen.presence = await joined
}

if (given.act === 'once') {
  const [change, gotChange] = promise()
  seen.subscribed = await follow(anon, 'notes', (row) => gotChange(row.text))
  await insert(admin, { id: 3, text: 'again', hidden: false })
  seen.change = await change
}

if (given.act === 'outage') {
  const neighbour = client(given.neighbourUrl, given.neighbourKey)
  const neighbourAdmin = client(given.neighbourUrl, given.neighbourServiceKey)
  const [theirs, gotTheirs] = promise(180000)
  const interruptions = []
  seen.neighbour = await follow(neighbour, 'notes', (row) => gotTheirs(row.text), (state) => interruptions.push(state))
  const [back, gotBack] = promise(180000)
  const [change, gotChange] = promise(180000)
  let joins = 0
  seen.subscribed = await follow(
    anon,
    'notes',
    (row) => row.text === 'after' && gotChange(row.text),
    (state) => state === 'SUBSCRIBED' && ++joins === 2 && gotBack('SUBSCRIBED'))
  // Tells the test that the sidecar may die now.
  await insert(admin, { id: 10, text: 'before', hidden: false })
  seen.back = await back
  await insert(admin, { id: 11, text: 'after', hidden: false })
  seen.change = await change
  await insert(neighbourAdmin, { id: 1, text: 'theirs', hidden: false })
  seen.theirs = await theirs
  seen.interruptions = [...interruptions]
}

await Promise.all(open.map((made) => made.removeAllChannels().then(() => made.realtime.disconnect())))
console.log(JSON.stringify(seen))
process.exit(0)
