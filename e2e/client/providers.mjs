// Users of an application who have accounts elsewhere: they sign in there, link and give up identities.
// What it needs comes as JSON in the first argument: { api, token, ref, url, key, schema }.
// What happened goes to standard output as JSON.
import { createServer } from 'node:http'
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'

const { api, token, ref, url, key, schema } = JSON.parse(process.argv[2])
const needed = ({ data, error }) => {
  if (error) throw new Error(`${error.status} ${error.code} ${error.message}`)
  return data
}

// A provider that signs in each visitor as `person`.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const visits = new Map()
let person = {}
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const idToken = (more) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: 'app', iat: now, exp: now + 300, ...person, ...more }
  const signed = `${base64({ alg: 'RS256', kid: '1' })}.${base64(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
}
const answer = async (request) => {
  const address = new URL(request.url, issuer)
  if (address.pathname === '/.well-known/openid-configuration')
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    }
  if (address.pathname === '/jwks') return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }] }
  if (address.pathname === '/authorize') {
    const code = randomUUID()
    visits.set(code, address.searchParams)
    return { location: `${address.searchParams.get('redirect_uri')}?code=${code}&state=${address.searchParams.get('state')}` }
  }
  let text = ''
  for await (const chunk of request) text += chunk
  const form = new URLSearchParams(text)
  const visit = visits.get(form.get('code'))
  visits.delete(form.get('code'))
  const verified = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url') === visit?.get('code_challenge')
  if (!verified || form.get('client_secret') !== 'hush') return { error: 'invalid_grant' }
  return { access_token: 'of-provider', refresh_token: 'again', token_type: 'bearer', id_token: idToken({ nonce: visit.get('nonce') }) }
}
const server = createServer(async (request, response) => {
  const { location, ...body } = await answer(request)
  if (location) response.writeHead(302, { location }).end()
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const issuer = `http://127.0.0.1:${server.address().port}`

// The developer's settings: the secret is given once, and not shown.
const changed = await fetch(`${api}/projects/${ref}`, {
  method: 'PATCH',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    auth: {
      siteUrl: 'https://shop.example',
      manualLinking: true,
      email: { autoconfirm: true },
      providers: [{ name: 'google', type: 'Google', issuer, clientId: 'app', clientSecretRef: { value: 'hush' } }],
    },
  }),
})
if (changed.status !== 200) throw new Error(await changed.text())
const shown = await changed.text()

// A browser: it keeps the cookie of the visit and follows where it is sent, up to the application.
const visit = async (entrance) => {
  const sent = await fetch(entrance, { redirect: 'manual' })
  if (sent.status !== 302) throw new Error(`${sent.status} ${await sent.text()}`)
  const back = await fetch(sent.headers.get('location'), { redirect: 'manual' })
  const callback = `${url}/auth/v1/callback${new URL(back.headers.get('location')).search}`
  const cookie = (sent.headers.get('set-cookie') ?? '').split(';')[0]
  const landed = await fetch(callback, { redirect: 'manual', headers: { cookie } })
  return new URL(landed.headers.get('location'))
}
const options = (flowType) => ({ db: { schema }, auth: { flowType, persistSession: false, autoRefreshToken: false } })
const redirectTo = 'https://shop.example/in'

// The settings reach the service within a moment.
for (let tries = 0; ; tries++) {
  const settings = await (await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } })).json()
  if (settings.external?.google && settings.mailer_autoconfirm) break
  if (tries > 600) throw new Error('the settings did not arrive')
  await new Promise((later) => setTimeout(later, 100))
}

person = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' }
const ann = createClient(url, key, options('implicit'))
let fragment
for (let tries = 0; tries < 600; tries++) {
  const { url: entrance } = needed(await ann.auth.signInWithOAuth({ provider: 'google', options: { redirectTo, skipBrowserRedirect: true } }))
  fragment = new URLSearchParams((await visit(entrance)).hash.slice(1))
  if (!/client secret is not there/.test(fragment.get('error_description'))) break
  await new Promise((later) => setTimeout(later, 100))
}
if (!fragment.has('access_token')) throw new Error(String(fragment))
const implicit = needed(await ann.auth.setSession({ access_token: fragment.get('access_token'), refresh_token: fragment.get('refresh_token') }))

person = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' }
const bob = createClient(url, key, options('pkce'))
const started = needed(await bob.auth.signInWithOAuth({ provider: 'google', options: { redirectTo, skipBrowserRedirect: true, scopes: 'calendar', queryParams: { prompt: 'consent' } } }))
const returned = await visit(started.url)
const code = returned.searchParams.get('code')
const stolen = await createClient(url, key, options('pkce')).auth.exchangeCodeForSession(code)
const exchanged = needed(await bob.auth.exchangeCodeForSession(code))

person = { sub: 'app-user', email: 'eve@example.com', email_verified: true }
const nonce = randomUUID()
const hashed = createHash('sha256').update(nonce).digest('hex')
const eve = createClient(url, key, options('implicit'))
const byToken = needed(await eve.auth.signInWithIdToken({ provider: 'google', token: idToken({ nonce: hashed }), nonce }))
const wrongNonce = await eve.auth.signInWithIdToken({ provider: 'google', token: idToken({ nonce: hashed }), nonce: 'other' })

const dan = createClient(url, key, options('pkce'))
needed(await dan.auth.signUp({ email: 'dan@example.com', password: 'correct horse' }))
person = { sub: 'dan-elsewhere', email: 'dan.elsewhere@example.com', email_verified: true }
const link = needed(await dan.auth.linkIdentity({ provider: 'google', options: { redirectTo, skipBrowserRedirect: true } }))
const fromProvider = await fetch(link.url, { redirect: 'manual' })
const linkedBack = await fetch(`${url}/auth/v1/callback${new URL(fromProvider.headers.get('location')).search}`, { redirect: 'manual' })
needed(await dan.auth.exchangeCodeForSession(new URL(linkedBack.headers.get('location')).searchParams.get('code')))
const { identities } = needed(await dan.auth.getUserIdentities())
needed(await dan.auth.unlinkIdentity(identities.find((identity) => identity.provider === 'google')))
const rest = needed(await dan.auth.getUserIdentities())
const last = await dan.auth.unlinkIdentity(rest.identities[0])
server.close()

console.log(
  JSON.stringify({
    shown,
    implicit: { email: implicit.user.email, name: implicit.user.user_metadata.full_name, provider: fragment.get('provider_token') },
    landing: returned.origin + returned.pathname,
    stolen: stolen.error?.code ?? stolen.error?.name,
    exchanged: { email: exchanged.user.email, provider: exchanged.session.provider_token, again: exchanged.session.provider_refresh_token },
    byToken: byToken.user.email,
    wrongNonce: wrongNonce.error?.message,
    linked: identities.map((identity) => identity.provider).sort(),
    rest: rest.identities.map((identity) => identity.provider),
    last: last.error?.code,
  })
)
