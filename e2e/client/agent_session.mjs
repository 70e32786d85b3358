// An agent in an empty folder: builds an application over the platform's MCP server, makes mistakes on the way, and corrects
// what the platform reports. What it needs comes as JSON in the first argument: { baseUrl, token, folder }. Every call of the
// agent is counted. What it saw goes to standard output as JSON.
import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { baseUrl, token, folder } = JSON.parse(process.argv[2])
const authorization = { Authorization: `Bearer ${token}` }
const seen = { calls: [] }

const mcp = new Client({ name: 'agent', version: '1.0.0' })
await mcp.connect(
  new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers: authorization } }),
)

// The library's own limit is a minute; a busy machine may need longer for a new project or a function.
const patience = { timeout: 180_000 }
const attempt = async (name, args = {}) => {
  seen.calls.push(name)
  const { content, isError } = await mcp.callTool({ name, arguments: args }, undefined, patience)
  return { said: content[0].text, failed: isError === true }
}
const call = async (name, args) => {
  const { said, failed } = await attempt(name, args)
  if (failed) throw new Error(`${name}: ${said}`)
  return said
}
const lints = async () =>
  JSON.parse((await call('get_advisors', { ...project, type: 'security' })).match(/\{.*\}/)[0]).lints

// How users sign up here is unknown to the agent: it looks it up.
const found = JSON.parse(await call('search_docs', { query: 'sign-up without confirmation mail autoconfirm', limit: 3 }))
seen.documented = found.results.some(({ path, excerpt }) => path.startsWith('auth.md') && excerpt.includes('autoconfirm'))

const created = JSON.parse(await call('create_project', { name: 'a list of tasks' }))
const project = { project_id: created.id }
seen.calls.push('PATCH config/auth')
const changed = await fetch(`${baseUrl}/projects/${created.id}/config/auth`, {
  method: 'PATCH',
  headers: { ...authorization, 'Content-Type': 'application/json' },
  body: JSON.stringify({ mailer_autoconfirm: true }),
})
if (!changed.ok) throw new Error(await changed.text())

// The first mistake: the policy names a column that there is not.
const tables = (owner) => `
  create table public.lists (id bigint generated always as identity primary key, name text not null);
  insert into public.lists (name) values ('home');
  create table public.tasks (
    id bigint generated always as identity primary key,
    list bigint not null references public.lists,
    title text not null,
    owner uuid not null default auth.uid() references auth.users on delete cascade
  );
  create index tasks_list on public.tasks (list);
  create index tasks_owner on public.tasks (owner);
  alter table public.tasks enable row level security;
  create policy "own tasks" on public.tasks to authenticated
    using (${owner} = (select auth.uid())) with check (${owner} = (select auth.uid()));`
const refused = await attempt('apply_migration', { ...project, name: 'tasks', query: tables('user_id') })
const problem = JSON.parse(refused.said)
seen.mistake = { failed: refused.failed, sqlstate: problem.sqlstate, named: problem.message.includes('user_id') }
seen.nothingApplied = (await call('list_tables', project)).includes('"tables":[]')
seen.applied = JSON.parse(await call('apply_migration', { ...project, name: 'tasks', query: tables('owner') })).state

// The second: a table without row security, which the advisor finds.
const open = (await lints()).filter(({ name }) => name === 'rls_disabled_in_public')
seen.advised = open.flatMap(({ findings }) => findings.map(({ detail }) => detail.match(/public\.\w+/)?.[0] ?? detail))
await call('apply_migration', {
  ...project,
  name: 'lists_row_security',
  query: `alter table public.lists enable row level security;
    create policy "everyone reads lists" on public.lists for select to anon, authenticated using (true);`,
})
seen.mended = (await lints()).map(({ name }) => name)

// A function with a secret, which a person enters.
const asked = await call('create_edge_function_secret', { ...project, name: 'GREETING' })
const person = async (address) => {
  const page = await fetch(address)
  const fields = [...(await page.text()).matchAll(/<input type="hidden" name="([a-z]+)" value="([^"]*)">/g)]
  const form = new URLSearchParams(fields.map(([, name, value]) => [name, value]))
  form.set('value', 'Good morning')
  form.set('token', token)
  const cookie = page.headers.get('set-cookie').split(';')[0]
  const stored = await fetch(address.split('?')[0], { method: 'POST', headers: { cookie }, body: form })
  return stored.status
}
seen.entered = await person(asked.match(/http\S+secret-entry\S+/)[0])
seen.stored = JSON.parse(await call('create_edge_function_secret', { ...project, name: 'GREETING' })).stored
seen.deployed = JSON.parse(
  await call('deploy_edge_function', {
    ...project,
    name: 'greet',
    files: [{
      name: 'index.ts',
      content: `Deno.serve(async (request: Request) => {
        const { name } = await request.json()
        console.log('greeted ' + name)
        return Response.json({ text: Deno.env.get('GREETING') + ', ' + name })
      })`,
    }],
  }),
).status

// The application, typed.
const [key] = JSON.parse(await call('get_publishable_keys', project)).keys
writeFileSync(join(folder, 'database.ts'), JSON.parse(await call('generate_typescript_types', project)).types)
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
writeFileSync(
  join(folder, 'app.ts'),
  `import { createClient } from '@supabase/supabase-js'
   import type { Database } from './database.js'

   const [url, key] = process.argv.slice(2) as [string, string]
   const user = async (email: string) => {
     const options = { auth: { persistSession: false, autoRefreshToken: false } }
     const client = createClient<Database>(url, key, options)
     const { data, error } = await client.auth.signUp({ email, password: 'a password of 2026' })
     if (error || !data.session) throw error ?? new Error('no session')
     return client
   }
   const ann = await user('ann@example.com')
   const bob = await user('bob@example.com')
   const { data: lists } = await ann.from('lists').select('id, name')
   const { error } = await ann.from('tasks').insert({ list: lists![0]!.id, title: 'buy milk' })
   if (error) throw error
   const stranger = createClient<Database>(url, key)
   const titles = async (client: typeof ann) => (await client.from('tasks').select('title, lists(name)')).data
   const greeting = await ann.functions.invoke<{ text: string }>('greet', { body: { name: 'Ann' } })
   console.log(JSON.stringify({
     ann: await titles(ann),
     bob: await titles(bob),
     stranger: await titles(stranger),
     greeting: greeting.data?.text,
   }))`,
)
const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
symlinkSync(modules, join(folder, 'node_modules'))
const run = (...words) => execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
run(join(modules, 'typescript/bin/tsc'), ...'--strict --skipLibCheck --target es2022 --module nodenext --types node app.ts'.split(' '))
// A machine without wildcard DNS reaches the project by its path.
const url = `${new URL(baseUrl).origin}/p/${created.id}`
seen.application = JSON.parse(run('app.js', url, key.api_key))

// What happened there stands in the log about a second later, on a busy machine later than that.
for (let pause = 1500; pause < 60_000 && seen.logged === undefined; pause *= 2) {
  await new Promise((later) => setTimeout(later, pause))
  const said = await call('get_logs', { ...project, service: 'edge-function-runtime' })
  if (said.includes('greeted Ann')) seen.logged = true
}
await mcp.close()
console.log(JSON.stringify(seen))
