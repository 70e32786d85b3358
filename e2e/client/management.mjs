// A program of an operator of projects: supabase-management-js, unedited, and a client whose types are generated from the
// platform's own OpenAPI document. What it needs comes as JSON in the first argument: { baseUrl, token }. What it saw goes
// to standard output as JSON.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapi, { astToString } from 'openapi-typescript'
import * as management from 'supabase-management-js'
import WebSocket from 'ws'

const { baseUrl, token } = JSON.parse(process.argv[2])
const here = dirname(fileURLToPath(import.meta.url))
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
const seen = { theirs: {}, generated: {} }

const document = await (await fetch(`${baseUrl}/openapi.json`, { headers })).json()

// The first lines of a program with generated types: compiled strictly, then run.
const folder = mkdtempSync(join(here, '.management-'))
try {
  writeFileSync(join(folder, 'api.ts'), astToString(await openapi(document, { defaultNonNullable: false })))
  writeFileSync(
    join(folder, 'program.ts'),
    `import createClient from 'openapi-fetch'
     import type { paths } from './api.js'
     export const run = async (baseUrl: string, headers: Record<string, string>) => {
       const api = createClient<paths>({ baseUrl, headers })
       const made = await api.POST('/v1/projects', { body: { name: 'by a generated client' } })
       const ref: string = made.data!.project!.ref!
       const health = await api.GET('/v1/projects/{ref}/health', { params: { path: { ref }, query: { services: ['db'] } } })
       const sql = await api.POST('/v1/projects/{ref}/database/query', { params: { path: { ref } }, body: { query: 'select 1 as one' } })
       // @ts-expect-error: there is no such call
       await api.GET('/v1/projects/{ref}/nothing', { params: { path: { ref } } })
       return { ref, healthy: health.data![0]!.healthy, rows: sql.data }
     }`,
  )
  const options = '--strict --skipLibCheck --target es2022 --module nodenext --moduleResolution nodenext --lib es2023,dom'
  execFileSync(join(here, 'node_modules/.bin/tsc'), [...options.split(' '), join(folder, 'program.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const { run } = await import(pathToFileURL(join(folder, 'program.js')).href)
  const { healthy, rows, ref } = await run(baseUrl.replace(/\/v1$/, ''), headers)
  seen.generated = { healthy, rows }
  seen.ref = ref
} catch (fault) {
  throw new Error(String(fault.stdout ?? fault.stack))
} finally {
  rmSync(folder, { recursive: true })
}

const ref = seen.ref
delete seen.ref
const options = { baseUrl: baseUrl.replace(/\/v1$/, ''), headers }
const call = async (name, ...args) => {
  try {
    const answer = await management[name](...args, options)
    return answer !== null && typeof answer === 'object' && 'data' in answer && 'status' in answer ? answer.data : answer
  } catch (fault) {
    return `failed: ${fault.message} ${JSON.stringify(fault.response?.data ?? fault.data ?? fault.body ?? '')}`
  }
}
const note = (name, value) => (seen.theirs[name] = value)

note('projects', (await call('v1ListAllProjects')).some?.((one) => one.id === ref))
note('organization', (await call('v1ListAllOrganizations'))[0]?.id)
note('members', Array.isArray(await call('v1ListOrganizationMembers', 'default')))
note('health', (await call('v1GetServicesHealth', ref, { services: ['db', 'rest'] })).map?.((one) => one.status))
note('keys', (await call('v1GetProjectApiKeys', ref, { reveal: true })).map?.((one) => one.type))
note('query', await call('v1RunAQuery', ref, { query: 'create table public.todos (id int primary key); select 1 as one' }))
note('migration', typeof (await call('v1ApplyAMigration', ref, { name: 'second', query: 'create table public.second (id int)' })))
note('migrations', (await call('v1ListMigrationHistory', ref)).map?.((one) => one.name))
note('types', (await call('v1GenerateTypescriptTypes', ref, { included_schemas: 'public' })).types?.includes('todos: {'))
note('advisors', (await call('v1GetSecurityAdvisors', ref, {})).lints?.[0]?.name)
note('schemas', (await call('v1GetDatabaseMetadata', ref)).databases?.[0]?.schemas?.some((one) => one.name === 'public'))
note('auth', (await call('v1UpdateAuthServiceConfig', ref, { jwt_exp: 600 })).jwt_exp)
note('rest', (await call('v1UpdatePostgrestServiceConfig', ref, { max_rows: 5 })).max_rows)
await call('v1UpdateRealtimeConfig', ref, { max_concurrent_users: 7 })
note('realtime', (await call('v1GetRealtimeConfig', ref)).max_concurrent_users)
await call('v1BulkCreateSecrets', ref, [{ name: 'WORD', value: 'x' }])
note('secrets', (await call('v1ListAllSecrets', ref)).map?.((one) => one.name))
note('regions', (await call('v1GetAvailableRegions', { organization_slug: 'default' })).all?.specific?.length)

// A pause closes the sockets of the project, and a restore lets them in again. Its state follows with the operator, which
// reconciles one project at most five times in ten seconds.
const state = async () => (await (await fetch(`${baseUrl}/projects/${ref}`, { headers })).json()).status
const becomes = async (wanted) => {
  for (let i = 0; i < 600; i++) {
    const now = await state()
    if (now === wanted) return now
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return state()
}
const { key, url } = await (async () => {
  const keys = await (await fetch(`${baseUrl}/projects/${ref}/api-keys`, { headers })).json()
  return { key: keys[0].api_key, url: `${baseUrl.replace(/\/v1$/, '')}/p/${ref}` }
})()
const rest = async () => (await fetch(`${url}/rest/v1/todos`, { headers: { apikey: key } })).status
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`)
await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
const closed = new Promise((resolve) => socket.on('close', () => resolve(true)))
seen.served = await rest()
await call('v1PauseAProject', ref)
seen.closed = await closed
seen.inactive = await becomes('INACTIVE')
seen.paused = await rest()
await call('v1RestoreAProject', ref)
seen.active = await becomes('ACTIVE_HEALTHY')
seen.restored = await rest()

console.log(JSON.stringify(seen))
