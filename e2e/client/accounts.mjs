// Users of an application: they sign up, own rows, change their accounts, and sign out; its server keeps them.
// What it needs comes as JSON in the first argument: { url, key, serviceKey, schema }.
// What happened goes to standard output as JSON.
import { createClient } from '@supabase/supabase-js'

const { url, key, serviceKey, schema } = JSON.parse(process.argv[2])
const options = { db: { schema }, auth: { persistSession: false, autoRefreshToken: false } }
const signedOut = () => createClient(url, key, options)

const needed = ({ data, error }) => {
  if (error) throw new Error(`${error.status} ${error.code} ${error.message}`)
  return data
}

const ann = signedOut()
const signedUp = needed(await ann.auth.signUp({ email: 'ann@example.com', password: 'correct horse', options: { data: { name: 'Ann' } } }))
const inserted = needed(await ann.from('notes').insert({ body: 'mine' }).select('body,owner'))
const claims = needed(await ann.auth.getClaims())
const refreshed = needed(await ann.auth.refreshSession())
const renamed = needed(await ann.auth.updateUser({ data: { name: 'Anna' } }))
const profile = needed(await ann.from('profiles').select('id,name'))

const bob = signedOut()
needed(await bob.auth.signUp({ email: 'bob@example.com', password: 'battery staple' }))
const seenByBob = needed(await bob.from('notes').select('body'))
const anonymous = await signedOut().from('notes').select('body')

const again = signedOut()
const wrong = await again.auth.signInWithPassword({ email: 'ann@example.com', password: 'wrong horse' })
const signedIn = needed(await again.auth.signInWithPassword({ email: 'ann@example.com', password: 'correct horse' }))
const twice = await signedOut().auth.signUp({ email: 'ann@example.com', password: 'correct horse' })
await ann.auth.signOut()
const ended = await again.auth.getUser(signedIn.session.access_token)

const server = createClient(url, serviceKey, options)
const listed = needed(await server.auth.admin.listUsers())
const made = needed(await server.auth.admin.createUser({ email: 'eve@example.com', password: 'open sesame', email_confirm: true }))
needed(await server.auth.admin.updateUserById(made.user.id, { user_metadata: { plan: 'pro' } }))
const found = needed(await server.auth.admin.getUserById(made.user.id))
needed(await server.auth.admin.deleteUser(made.user.id))
const gone = await server.auth.admin.getUserById(made.user.id)

console.log(
  JSON.stringify({
    user: signedUp.user,
    inserted,
    claims: claims.claims,
    refreshed: refreshed.session.refresh_token !== signedUp.session.refresh_token,
    renamed: renamed.user.user_metadata.name,
    profile,
    seenByBob,
    anonymous: anonymous.data,
    wrong: wrong.error?.code,
    twice: twice.error?.code,
    ended: ended.error?.code ?? ended.error?.name,
    listed: listed.users.map((user) => user.email).sort(),
    plan: found.user.user_metadata.plan,
    gone: gone.error?.code,
  })
)
