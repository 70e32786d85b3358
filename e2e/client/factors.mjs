// Second factors and phones of an application's users, by an unchanged client library.
// What it needs comes as JSON in the first argument: { url, key, serviceKey, schema }.
// What happened goes to standard output as JSON.
import { createHmac } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'

const { url, key, serviceKey, schema } = JSON.parse(process.argv[2])
const options = { db: { schema }, auth: { persistSession: false, autoRefreshToken: false } }
const client = () => createClient(url, key, options)
const server = createClient(url, serviceKey, options)

const needed = ({ data, error }) => {
  if (error) throw new Error(`${error.status} ${error.code} ${error.message}`)
  return data
}

// RFC 6238, as an authenticator app does it.
const totp = (secret) => {
  const bits = [...secret].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000)))
  const mac = createHmac('sha1', bytes).update(counter).digest()
  const offset = mac[19] & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1e6).padStart(6, '0')
}

const lastMessage = async (phone) =>
  needed(await server.from('messages').select('otp').eq('phone', phone).order('id', { ascending: false }).limit(1))[0].otp

const ann = client()
needed(await ann.auth.signUp({ email: 'ann@example.com', password: 'correct horse' }))
const enrolled = needed(await ann.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' }))
const same = await ann.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
const secretBefore = needed(await ann.from('secrets').select('body'))
const challenge = needed(await ann.auth.mfa.challenge({ factorId: enrolled.id }))
const wrong = await ann.auth.mfa.verify({ factorId: enrolled.id, challengeId: challenge.id, code: '000000' })
needed(await ann.auth.mfa.verify({ factorId: enrolled.id, challengeId: challenge.id, code: totp(enrolled.totp.secret) }))
const level = needed(await ann.auth.mfa.getAuthenticatorAssuranceLevel())
const secretAfter = needed(await ann.from('secrets').select('body'))
const factors = needed(await ann.auth.mfa.listFactors())

const weak = client()
needed(await weak.auth.signInWithPassword({ email: 'ann@example.com', password: 'correct horse' }))
const weakLevel = needed(await weak.auth.mfa.getAuthenticatorAssuranceLevel())
const weakChange = await weak.auth.updateUser({ password: 'another horse' })
const weakUnenroll = await weak.auth.mfa.unenroll({ factorId: enrolled.id })

const annId = (await ann.auth.getUser()).data.user.id
const adminFactors = needed(await server.auth.admin.mfa.listFactors({ userId: annId }))
const unenrolled = needed(await ann.auth.mfa.unenroll({ factorId: enrolled.id }))
needed(await ann.auth.refreshSession())
const levelAfter = needed(await ann.auth.mfa.getAuthenticatorAssuranceLevel())
const second = needed(await ann.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'second' }))
const deleted = needed(await server.auth.admin.mfa.deleteFactor({ id: second.id, userId: annId }))

const phoneFactor = needed(await ann.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'phone', phone: '+491700000001' }))
const phoneChallenge = needed(await ann.auth.mfa.challenge({ factorId: phoneFactor.id, channel: 'sms' }))
needed(
  await ann.auth.mfa.verify({
    factorId: phoneFactor.id,
    challengeId: phoneChallenge.id,
    code: await lastMessage('491700000001'),
  }),
)
const phoneLevel = needed(await ann.auth.mfa.getAuthenticatorAssuranceLevel())

const bob = client()
const waiting = needed(await bob.auth.signUp({ phone: '+491700000002', password: 'battery staple' }))
const confirmed = needed(await bob.auth.verifyOtp({ phone: '+491700000002', token: await lastMessage('491700000002'), type: 'sms' }))
const byPassword = needed(await client().auth.signInWithPassword({ phone: '+491700000002', password: 'battery staple' }))

const eve = client()
needed(await eve.auth.signInWithOtp({ phone: '+491700000003' }))
const byCode = needed(await eve.auth.verifyOtp({ phone: '+491700000003', token: await lastMessage('491700000003'), type: 'sms' }))
needed(await eve.auth.updateUser({ phone: '+491700000004' }))
const moved = needed(await eve.auth.verifyOtp({ phone: '+491700000004', token: await lastMessage('491700000004'), type: 'phone_change' }))
const resent = await eve.auth.resend({ type: 'sms', phone: '+491700000009' })

const out = needed(await eve.auth.getSession()).session
const signedOut = await server.auth.admin.signOut(out.access_token, 'global')
const afterwards = await client().auth.getUser(out.access_token)

console.log(
  JSON.stringify({
    qr: enrolled.totp.qr_code.slice(0, 40),
    same: same.error?.code,
    wrong: wrong.error?.code,
    secretBefore,
    secretAfter,
    level: level.currentLevel,
    factors: factors.totp.length,
    weakLevel,
    weakChange: weakChange.error?.code,
    weakUnenroll: weakUnenroll.error?.code,
    adminFactors: adminFactors.factors.map((factor) => factor.status),
    unenrolled: unenrolled.id === enrolled.id,
    levelAfter: levelAfter.currentLevel,
    // This version of the library wraps what this one call answers twice.
    deleted: (deleted.id ?? deleted.data?.id) === second.id,
    phoneLevel: phoneLevel.currentLevel,
    waiting: waiting.session,
    confirmed: confirmed.user.phone,
    plan: JSON.parse(Buffer.from(byPassword.session.access_token.split('.')[1], 'base64url')).plan,
    byCode: byCode.user.phone,
    moved: moved.user.phone,
    resent: resent.error,
    signedOut: signedOut.error,
    afterwards: afterwards.error?.name,
  }),
)
