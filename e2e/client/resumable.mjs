// Files by tus-js-client, as Supabase documents it: chunks of 6 MiB and of odd sizes, parallel uploads, a signed URL, an
// upload that is aborted and resumed. What it needs comes as JSON in the first argument: { url, key, serviceKey, step,
// upload }; `step` is `all`, `begin` or `resume`. What it saw goes to standard output as JSON.
import { createClient } from '@supabase/supabase-js'
import { createHash } from 'node:crypto'
import * as tus from 'tus-js-client'

const { url, key, serviceKey, step, upload: begun } = JSON.parse(process.argv[2])
const auth = { persistSession: false, autoRefreshToken: false }
const admin = createClient(url, serviceKey, { auth })
const anyone = createClient(url, key, { auth })
const user = createClient(url, key, { auth })
const endpoint = `${url}/storage/v1/upload/resumable`
const seen = {}

const needed = ({ data, error }) => {
  if (error) throw new Error(JSON.stringify(error) + ' ' + error.message)
  return data
}
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex')
/** The same bytes in each run. */
const bytes = (size) => {
  const all = Buffer.alloc(size)
  for (let i = 0; i < size; i += 4096) all.write(createHash('sha1').update(String(i)).digest('hex'), i)
  return all
}
const MIB = 1 << 20

/** Uploads to the end, or until `abortAt` bytes were sent; gives the upload. */
const send = (file, name, options, abortAt = Infinity) =>
  new Promise((resolve, reject) => {
    const upload = new tus.Upload(file, {
      endpoint,
      retryDelays: [0, 200, 500, 1000],
      headers: { authorization: `Bearer ${serviceKey}`, 'x-upsert': 'true' },
      uploadDataDuringCreation: true,
      removeFingerprintOnSuccess: true,
      metadata: { bucketName: 'files', objectName: name, contentType: 'text/x-test', cacheControl: '3600' },
      chunkSize: 6 * MIB,
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload),
      onChunkComplete: async (size, sent) => {
        if (sent >= abortAt) {
          await upload.abort()
          resolve(upload)
        }
      },
    })
    upload.start()
  })
const refused = async (...args) => {
  try {
    await send(...args)
    return 'accepted'
  } catch (error) {
    return `${error.originalResponse?.getStatus()} ${JSON.parse(error.originalResponse?.getBody() || '{}').message}`
  }
}
const same = async (name, file) =>
  hash(Buffer.from(await needed(await admin.storage.from('files').download(name)).arrayBuffer())) === hash(file)

if (step === 'begin') {
  needed(await admin.storage.createBucket('files'))
  const file = bytes(9 * MIB + 5)
  const upload = await send(file, 'resumed', { chunkSize: 2 * MIB - 1 }, 4 * MIB)
  seen.upload = upload.url
} else if (step === 'resume') {
  const file = bytes(9 * MIB + 5)
  let first
  await send(file, 'resumed', {
    uploadUrl: begun,
    onProgress: (sent) => (first ??= sent),
  })
  seen.first = first >= 4 * MIB - 4
  seen.resumed = await same('resumed', file)
  const info = needed(await admin.storage.from('files').info('resumed'))
  seen.info = [info.size, info.contentType, info.cacheControl]
} else {
  const large = bytes(13 * MIB + 7)
  seen.location = (await send(large, 'six', {})).url.startsWith(`${endpoint}/`)
  seen.six = await same('six', large)
  await send(large, 'odd', { chunkSize: 1_234_567, uploadDataDuringCreation: false })
  seen.odd = await same('odd', large)
  await send(large, 'whole', { chunkSize: Infinity })
  seen.whole = await same('whole', large)
  await send(Buffer.from('small'), 'small', {})
  seen.small = await same('small', Buffer.from('small'))
  await send(Buffer.alloc(0), 'empty', {})
  seen.empty = await same('empty', Buffer.alloc(0))
  await send(large, 'parallel', {
    parallelUploads: 3,
    metadataForPartialUploads: { bucketName: 'files', objectName: 'parallel' },
  })
  seen.parallel = await same('parallel', large)
  seen.unnamed = await refused(large, 'parallel', { parallelUploads: 2, retryDelays: null })
  await send(large, 'posted', { overridePatchMethod: true })
  seen.posted = await same('posted', large)

  const ended = await send(large, 'ended', { chunkSize: MIB }, 2 * MIB)
  await tus.Upload.terminate(ended.url, { headers: { authorization: `Bearer ${serviceKey}` } })
  seen.ended = (await fetch(ended.url, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${serviceKey}`, 'tus-resumable': '1.0.0' },
  })).status

  const { token } = needed(await admin.storage.from('files').createSignedUploadUrl('signed'))
  await send(large, 'signed', { endpoint: `${endpoint}/sign`, headers: { 'x-signature': token } })
  seen.signed = await same('signed', large)

  const { session } = needed(await user.auth.signUp({ email: 'tus@example.com', password: 'correct horse' }))
  const headers = { authorization: `Bearer ${session.access_token}` }
  const own = bytes(100)
  await send(own, `${session.user.id}/own`, { headers })
  seen.own = await same(`${session.user.id}/own`, own)
  seen.other = await refused(own, 'elsewhere/own', { headers, retryDelays: null })
  seen.exists = await refused(own, `${session.user.id}/own`, { headers, retryDelays: null })
  seen.anyone = await refused(own, 'anyone', { headers: { authorization: `Bearer ${key}` }, retryDelays: null })
  seen.tooLarge = await refused(bytes(60 * MIB), 'huge', { retryDelays: null })
  needed(await anyone.storage.from('files').list())
}

console.log(JSON.stringify(seen))
