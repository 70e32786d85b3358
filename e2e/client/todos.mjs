// An application's first minutes with its project: it inserts a row, finds it by a filter, and meets row security.
// What it needs comes as JSON in the first argument: { url, key, schema, id, title, address?: { host, port } }.
// What happened goes to standard output as JSON.
import http from 'node:http'
import { createClient } from '@supabase/supabase-js'

const { url, key, schema, id, title, address } = JSON.parse(process.argv[2])

// Browsers and curl take every name under .localhost for this machine; Node asks a resolver that may not know it.
// So the connection goes to the address that was given, and the request still names the project's host.
const fetchFromAddress = (target, options) =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(target)
    const headers = { ...Object.fromEntries(new Headers(options?.headers)), host }
    const request = http.request(
      { host: address.host, port: address.port, path: pathname + search, method: options?.method ?? 'GET', headers },
      (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const empty = answer.statusCode === 204 || answer.statusCode === 304
          const body = empty ? null : Buffer.concat(parts)
          resolve(new Response(body, { status: answer.statusCode, headers: new Headers(answer.headers) }))
        })
      }
    )
    request.on('error', reject)
    request.end(options?.body)
  })

const client = createClient(url, key, {
  db: { schema },
  auth: { persistSession: false, autoRefreshToken: false },
  ...(address ? { global: { fetch: fetchFromAddress } } : {}),
})

const needed = ({ data, error, status }) => {
  if (error) throw new Error(`${status} ${JSON.stringify(error)}`)
  return data
}

const todos = () => client.from('todos')
const inserted = needed(await todos().insert({ id, title, secret: false }).select('id,title'))
const found = needed(await todos().select('id,title').eq('title', title))
const visibleSecrets = needed(await todos().select('id').eq('secret', true))
const refused = await todos().insert({ id: id + 1, title, secret: true })

console.log(
  JSON.stringify({ inserted, found, visibleSecrets, refused: { status: refused.status, code: refused.error?.code } })
)
