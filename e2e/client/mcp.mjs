// An agent: the MCP client of the official SDK walks from nothing to a typed application, once over the platform's own MCP
// server and once over Supabase's, unedited, which calls /v1. What it needs comes as JSON in the first argument:
// { baseUrl, token }. What it saw goes to standard output as JSON.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { baseUrl, token } = JSON.parse(process.argv[2])
const here = dirname(fileURLToPath(import.meta.url))
const seen = {}

const connected = async (transport) => {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(transport)
  return client
}

const overHttp = (query, bearer) =>
  connected(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp${query}`), {
      requestInit: { headers: { Authorization: `Bearer ${bearer}` } },
    }),
  )

// The library's own limit is a minute; a busy machine may need longer for a new project or a function.
const patience = { timeout: 180_000 }
const text = async (client, name, args = {}) => {
  const result = await client.callTool({ name, arguments: args }, undefined, patience)
  const said = result.content[0].text
  if (result.isError) throw new Error(`${name}: ${said}`)
  return said
}

// An object comes as text and as structured content, which are the same.
const object = async (client, name, args = {}) => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args }, undefined, patience)
  if (isError) throw new Error(`${name}: ${content[0].text}`)
  if (JSON.stringify(structuredContent) !== JSON.stringify(JSON.parse(content[0].text))) {
    throw new Error(`${name}: text and structured content differ`)
  }
  return structuredContent
}

const code = "Deno.serve(() => new Response('hello from a function'))"

// The platform's own server.
const account = await overHttp('', token)
seen.tools = (await account.listTools()).tools.length > 10
const created = await object(account, 'create_project', { name: 'by an agent' })
const ref = created.id

const made = await fetch(`${baseUrl}/tokens/mcp`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'editor', project_ref: ref }),
})
const agent = await overHttp('?features=database,functions,development,debugging', (await made.json()).token)
const todos = `create table public.todos (id bigint generated always as identity primary key, title text not null);
  alter table public.todos enable row level security;
  create policy "anyone reads" on public.todos for select to anon using (true);
  insert into public.todos (title) values ('written by an agent')`
seen.applied = (await object(agent, 'apply_migration', { name: 'todos', query: todos })).state
seen.migrations = (await object(agent, 'list_migrations')).migrations.map((one) => one.name)
seen.rows = (await text(agent, 'execute_sql', { query: 'select title from public.todos' })).includes('written by an agent')
seen.security = JSON.parse(
  (await text(agent, 'get_advisors', { type: 'security' })).match(/\{.*\}/)[0],
).lints.map((lint) => lint.name)
const deployed = await object(agent, 'deploy_edge_function', {
  name: 'hello',
  files: [{ name: 'index.ts', content: code }],
})
seen.deployed = deployed.status
const { functions } = await object(agent, 'list_edge_functions')
const read = await object(agent, 'get_edge_function', { function_slug: 'hello' })
for (const one of [deployed, functions[0], read]) {
  if (one.id !== deployed.id || one.slug !== 'hello' || !(one.updated_at >= one.created_at)) {
    throw new Error(`not the function that was deployed: ${JSON.stringify(one)}`)
  }
}
if (deployed.entrypoint_path !== 'index.ts' || read.files[0].content !== code) {
  throw new Error(`not the code that was deployed: ${JSON.stringify([deployed, read])}`)
}
const { types } = await object(agent, 'generate_typescript_types')
const { url } = await object(agent, 'get_project_url')
const {
  keys: [key],
} = await object(agent, 'get_publishable_keys')
seen.url = url === created.url && key.api_key === created.anon_key

// What the platform wrote into the project's log meanwhile.
const eventually = async (name, ask, part) => {
  let said
  for (let i = 0; i < 90; i++) {
    said = await ask()
    if (said.includes(part)) return true
    await new Promise((later) => setTimeout(later, 500))
  }
  return `${name}: ${said}`
}
await fetch(`${new URL(baseUrl).origin}/p/${ref}/rest/v1/todos?select=title`, { headers: { apikey: key.api_key } })
seen.logs = await eventually('get_logs', () => text(agent, 'get_logs', { service: 'api' }), '/rest/v1/todos')

// The types hold what supabase-js reads.
const folder = mkdtempSync(join(here, '.types-'))
try {
  writeFileSync(join(folder, 'database.ts'), types)
  writeFileSync(
    join(folder, 'application.ts'),
    `import { createClient } from '@supabase/supabase-js'
     import type { Database, Tables, TablesInsert } from './database.ts'
     const client = createClient<Database>('http://localhost', 'key')
     const row: Tables<'todos'> = { id: 1, title: 'x' }
     const insert: TablesInsert<'todos'> = { title: row.title }
     const { data } = await client.from('todos').select('id, title').single()
     const id: number | undefined = data?.id
     // @ts-expect-error: the identity is generated
     await client.from('todos').insert({ id: 1, title: 'x' })
     // @ts-expect-error: there is no such table
     await client.from('nothing').select()
     export { id, insert }`,
  )
  const options = '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module nodenext --moduleResolution nodenext'
  execFileSync(join(here, 'node_modules/.bin/tsc'), [...options.split(' '), join(folder, 'application.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  })
  seen.typed = true
} catch (fault) {
  seen.typed = String(fault.stdout ?? fault)
} finally {
  rmSync(folder, { recursive: true })
}

// Supabase's server over /v1.
const supabase = await connected(
  new StdioClientTransport({
    command: process.execPath,
    args: [
      join(here, 'node_modules/.bin/mcp-server-supabase'),
      '--api-url',
      new URL(baseUrl).origin,
      '--access-token',
      token,
      '--features',
      'account,database,debugging,development,functions',
    ],
    stderr: 'ignore',
    cwd: tmpdir(),
  }),
)
const theirs = { project_id: ref }
seen.supabase = {}
const upstream = async (name, args = {}) => {
  try {
    return await text(supabase, name, args)
  } catch (fault) {
    return `failed: ${fault.message}`
  }
}
const has = async (name, args, part) => {
  const said = await upstream(name, args)
  return said.includes(part) || said
}
seen.supabase.list_projects = await has('list_projects', {}, ref)
seen.supabase.list_tables = await has('list_tables', { ...theirs, schemas: ['public'], verbose: true }, '.todos')
seen.supabase.execute_sql = await has('execute_sql', { ...theirs, query: 'select title from public.todos' }, 'written by an agent')
seen.supabase.apply_migration = await has('apply_migration', { ...theirs, name: 'second', query: 'create table public.second (id int)' }, 'success')
seen.supabase.list_migrations = await has('list_migrations', theirs, 'second')
seen.supabase.generate_typescript_types = await has('generate_typescript_types', theirs, 'todos: {')
seen.supabase.get_advisors = await has('get_advisors', { ...theirs, type: 'security' }, 'rls_disabled_in_public')
seen.supabase.list_edge_functions = await has('list_edge_functions', theirs, 'hello')
seen.supabase.get_publishable_keys = await has('get_publishable_keys', theirs, created.anon_key)
const requests = `select id, timestamp, event_message, log_attributes['response.status_code'] as status_code from logs
  where source = 'edge_logs' and log_attributes['request.path'] = '/rest/v1/todos' order by timestamp desc limit 10`
seen.supabase.query_logs = await eventually(
  'query_logs',
  () => upstream('query_logs', { ...theirs, sql: requests }),
  'GET /rest/v1/todos 200',
)

await Promise.all([account.close(), agent.close(), supabase.close()])
console.log(JSON.stringify(seen))
