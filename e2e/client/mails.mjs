// Users of an application who get mails: confirmation, links and codes, a forgotten password, another address, invitations.
// What it needs comes as JSON in the first argument: { url, key, serviceKey, mailUrl }.
// What happened goes to standard output as JSON.
import { createClient } from '@supabase/supabase-js'

const { url, key, serviceKey, mailUrl } = JSON.parse(process.argv[2])
const options = (auth = {}) => ({ auth: { persistSession: false, autoRefreshToken: false, ...auth } })
const client = (auth) => createClient(url, key, options(auth))
const server = createClient(url, serviceKey, options())

const needed = ({ data, error }) => {
  if (error) throw new Error(`${error.status} ${error.code} ${error.message}`)
  return data
}

const mails = async (to) => (await (await fetch(`${mailUrl}mails.json`)).json()).filter((mail) => mail.to === to)
const mail = async (to) => (await mails(to))[0]
const code = async (to) => (await mail(to)).html.match(/<strong>(\d+)<\/strong>/)[1]
const link = async (to) => new URL((await mail(to)).links[0])
const tokenHash = async (to) => (await link(to)).searchParams.get('token')

// By the path that this machine serves the project under: its own host name may not resolve here.
const followed = async (to) => {
  const { pathname, search } = await link(to)
  const answer = await fetch(`${url}${pathname}${search}`, { redirect: 'manual' })
  return new URL(answer.headers.get('location'))
}

const password = 'correct horse'
const seen = {}

const ann = client()
const signedUp = needed(await ann.auth.signUp({ email: 'ann@example.com', password, options: { data: { name: 'Ann' } } }))
seen.noSessionYet = signedUp.session === null
seen.tooEarly = (await client().auth.signInWithPassword({ email: 'ann@example.com', password })).error?.code
seen.wrongCode = (await client().auth.verifyOtp({ email: 'ann@example.com', token: '000000', type: 'signup' })).error?.code
seen.confirmed = needed(await ann.auth.verifyOtp({ email: 'ann@example.com', token: await code('ann@example.com'), type: 'signup' })).user.email
seen.twice = needed(await client().auth.signUp({ email: 'ann@example.com', password })).user.identities

needed(await client().auth.signUp({ email: 'bob@example.com', password }))
needed(await client().auth.resend({ type: 'signup', email: 'bob@example.com' }))
seen.mailsToBob = (await mails('bob@example.com')).length
const landed = await followed('bob@example.com')
seen.landed = landed.origin
const fragment = new URLSearchParams(landed.hash.slice(1))
const bob = client()
needed(await bob.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }))
seen.bob = needed(await bob.auth.getUser()).user.email
seen.usedLink = new URLSearchParams((await followed('bob@example.com')).hash.slice(1)).get('error_code')

const cat = client()
needed(await cat.auth.signInWithOtp({ email: 'cat@example.com', options: { data: { name: 'Cat' } } }))
seen.cat = needed(await cat.auth.verifyOtp({ email: 'cat@example.com', token: await code('cat@example.com'), type: 'email' })).user.user_metadata.name
seen.stranger = (await client().auth.signInWithOtp({ email: 'nobody@example.com', options: { shouldCreateUser: false } })).error?.code

const dan = client({ flowType: 'pkce' })
needed(await dan.auth.signInWithOtp({ email: 'dan@example.com' }))
const place = await followed('dan@example.com')
seen.pkce = needed(await dan.auth.exchangeCodeForSession(place.searchParams.get('code'))).user.email

needed(await client().auth.resetPasswordForEmail('ann@example.com', { redirectTo: 'https://app.example.com/reset' }))
seen.resetLeadsTo = (await link('ann@example.com')).searchParams.get('redirect_to')
const forgetful = client()
needed(await forgetful.auth.verifyOtp({ token_hash: await tokenHash('ann@example.com'), type: 'recovery' }))
needed(await forgetful.auth.updateUser({ password: 'battery staple' }))
seen.newPassword = needed(await client().auth.signInWithPassword({ email: 'ann@example.com', password: 'battery staple' })).user.email

needed(await forgetful.auth.reauthenticate())
needed(await forgetful.auth.updateUser({ password: 'third password', nonce: await code('ann@example.com') }))
const moving = needed(await forgetful.auth.updateUser({ email: 'ann@new.example.com' }))
seen.newEmail = moving.user.new_email
const half = await client().auth.verifyOtp({ email: 'ann@new.example.com', token: await code('ann@new.example.com'), type: 'email_change' })
seen.half = half.error === null && half.data.session === null
needed(await client().auth.resend({ type: 'email_change', email: 'ann@example.com' }))
await client().auth.verifyOtp({ email: 'ann@new.example.com', token: await code('ann@new.example.com'), type: 'email_change' })
seen.moved = needed(await client().auth.verifyOtp({ email: 'ann@example.com', token: await code('ann@example.com'), type: 'email_change' })).user.email

const invited = needed(await server.auth.admin.inviteUserByEmail('eve@example.com', { data: { team: 7 } }))
seen.invited = invited.user.user_metadata.team
seen.eve = needed(await client().auth.verifyOtp({ email: 'eve@example.com', token: await code('eve@example.com'), type: 'invite' })).user.email

for (const type of ['signup', 'magiclink', 'recovery']) {
  const { properties } = needed(await server.auth.admin.generateLink({ type, email: type === 'signup' ? 'fay@example.com' : 'eve@example.com', password }))
  const { user } = needed(await client().auth.verifyOtp({ token_hash: properties.hashed_token, type: properties.verification_type }))
  seen[`link ${type}`] = user.email
}

console.log(JSON.stringify(seen))
