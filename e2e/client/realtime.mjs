// An application that follows rooms with realtime-js, in both serializers: broadcasts, presence, private channels, messages
// of the database. What it needs comes as JSON in the first argument: { url, key, serviceKey, email }. What it saw goes to
// standard output as JSON.
import { createClient } from '@supabase/supabase-js'
import { RealtimeClient } from 'realtime-js-newest'
import WebSocket from 'ws'

const { url, key, serviceKey } = JSON.parse(process.argv[2])
const seen = {}
const open = []

/** A value that is set once. */
const promise = (patience = 60000) => {
  let settle
  const value = new Promise((resolve) => (settle = resolve))
  const late = setTimeout(() => settle('nothing came'), patience)
  return [value.finally(() => clearTimeout(late)), settle]
}

const older = () => {
  const client = createClient(url, key, { realtime: { transport: WebSocket }, auth: { persistSession: false } })
  open.push(client.realtime)
  return client
}

const newer = () => {
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    transport: WebSocket,
    params: { apikey: key },
    accessToken: async () => key,
  })
  open.push(client)
  return client
}

const subscribed = (channel) =>
  new Promise((resolve) => channel.subscribe((status, error) => resolve(error ? `${status}: ${error.message}` : status)))

// Broadcasts between the two serializers, with acknowledgement and without an echo.
{
  const [first, second] = [older(), newer()]
  const [text, gotText] = promise()
  const [answer, gotAnswer] = promise()
  const room = first.channel('room', { config: { broadcast: { ack: true } } })
  const other = second.channel('room', { config: { broadcast: { ack: true, self: true } } })
  other.on('broadcast', { event: 'greeting' }, (message) => gotText(message.payload))
  room.on('broadcast', { event: 'answer' }, (message) => gotAnswer(message.payload))
  seen.subscribed = [await subscribed(room), await subscribed(other)]
  seen.sent = await room.send({ type: 'broadcast', event: 'greeting', payload: { text: 'héllo', n: 1 } })
  seen.greeting = await text
  seen.sentBack = await other.send({ type: 'broadcast', event: 'answer', payload: { list: [1, 2] } })
  seen.answer = await answer

  const [byRequest, gotByRequest] = promise()
  other.on('broadcast', { event: 'by request' }, (message) => gotByRequest(message.payload))
  const response = await fetch(`${url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ topic: 'room', event: 'by request', payload: { p: 1 } }] }),
  })
  seen.requestStatus = response.status
  seen.byRequest = await byRequest
  if (other.httpSend) {
    const [single, gotSingle] = promise()
    room.on('broadcast', { event: 'single' }, (message) => gotSingle(message.payload))
    seen.httpSend = (await other.httpSend('single', { s: 1 })).success
    seen.single = await single
  }
}

// Presence of one client as the other sees it, until it leaves.
{
  const [first, second] = [older(), newer()]
  const here = first.channel('lobby', { config: { presence: { key: 'ann' } } })
  const there = second.channel('lobby', { config: { presence: { key: 'bob' } } })
  const [joined, gotJoined] = promise()
  const [left, gotLeft] = promise()
  there.on('presence', { event: 'join' }, ({ key, newPresences }) => key === 'ann' && gotJoined(newPresences[0].mood))
  there.on('presence', { event: 'leave' }, ({ key }) => gotLeft(key))
  here.on('presence', { event: 'sync' }, () => {})
  await subscribed(there)
  await subscribed(here)
  seen.tracked = await here.track({ mood: 'fine' })
  seen.presence = await joined
  seen.present = Object.keys(there.presenceState())
  await first.removeChannel(here)
  seen.left = await left
}

// Private channels by policies, and what the database sends to them.
{
  const admin = createClient(url, serviceKey, { realtime: { transport: WebSocket }, auth: { persistSession: false } })
  open.push(admin.realtime)
  const email = 'ann@example.org'
  const user = await admin.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true })
  if (user.error) throw user.error
  const signedIn = older()
  const session = await signedIn.auth.signInWithPassword({ email, password: 'correct horse' })
  if (session.error) throw session.error
  await signedIn.realtime.setAuth(session.data.session.access_token)

  const stranger = older()
  seen.refused = await subscribed(stranger.channel('secret', { config: { private: true } }))
  const secret = signedIn.channel('secret', { config: { private: true, broadcast: { ack: true, self: true } } })
  const [message, gotMessage] = promise()
  const [own, gotOwn] = promise()
  secret.on('broadcast', { event: 'INSERT' }, (got) => gotMessage(got.payload))
  secret.on('broadcast', { event: 'own' }, (got) => gotOwn(got.payload))
  seen.admitted = await subscribed(secret)
  seen.sentSecret = await secret.send({ type: 'broadcast', event: 'own', payload: { a: 1 } })
  seen.own = await own
  // The log of a project's database is read from its first socket on, and its messages once they are published.
  let changed = false
  message.then(() => (changed = true))
  for (let id = 1; !changed && id < 40; id++) {
    const inserted = await admin.from('note').insert({ id, text: 'told' })
    if (inserted.error) throw inserted.error
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const got = await message
  delete got.id
  delete got.record?.id
  seen.changed = got
}

await Promise.all(open.map((client) => client.removeAllChannels().then(() => client.disconnect())))
console.log(JSON.stringify(seen))
process.exit(0)
