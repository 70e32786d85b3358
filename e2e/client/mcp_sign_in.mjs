// An MCP client of the official SDK signs in by OAuth, as an editor does: it finds the way from the refusal, registers itself,
// sends a person to the consent page, and exchanges the code. The person is played by plain requests with the page's cookie.
// What it needs comes as JSON in the first argument: { baseUrl, token }. What it saw goes to standard output as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { baseUrl, token } = JSON.parse(process.argv[2])
const seen = {}
const kept = {}

const provider = {
  redirectUrl: 'http://127.0.0.1:45678/callback',
  clientMetadata: {
    client_name: 'An editor',
    redirect_uris: ['http://127.0.0.1:45678/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  state: () => 'a state',
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (url) => void (kept.authorization = url),
}

const transport = () => new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider: provider })
const connect = async (over) => {
  const client = new Client({ name: 'editor', version: '1.0.0' })
  await client.connect(over)
  return client
}

const first = transport()
try {
  await connect(first)
} catch (fault) {
  seen.sentToThePage = fault instanceof UnauthorizedError && kept.authorization.pathname.endsWith('/oauth/authorize')
}

const page = await fetch(kept.authorization)
const html = await page.text()
seen.asks = html.includes('An editor')
const unescaped = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const form = new URLSearchParams(
  [...html.matchAll(/type="hidden" name="([a-z_]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value)]),
)
form.set('token', token)
form.set('decision', 'allow')
const decided = await fetch(new URL(html.match(/action="([^"]+)"/)[1], kept.authorization), {
  method: 'POST',
  headers: { Cookie: page.headers.get('set-cookie').split(';')[0] },
  body: form,
  redirect: 'manual',
})
const back = new URL(decided.headers.get('location'))
seen.state = back.searchParams.get('state')
await first.finishAuth(back.searchParams.get('code'))

const client = await connect(transport())
seen.tools = (await client.listTools()).tools.length > 10
await client.close()

// The access token is over: the client renews it by itself.
const before = kept.tokens.refresh_token
kept.tokens = { ...kept.tokens, access_token: 'svc_mcp_over' }
const renewed = await connect(transport())
seen.renewed = (await renewed.listTools()).tools.length > 10 && kept.tokens.refresh_token !== before
await renewed.close()
console.log(JSON.stringify(seen))
