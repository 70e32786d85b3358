// An application's files: buckets, uploads of every kind, listings, signed URLs, moves, copies, removals, row security.
// What it needs comes as JSON in the first argument: { url, key, serviceKey }. What it saw goes to standard output as JSON.
import { deflateSync } from 'node:zlib'
import { createClient } from '@supabase/supabase-js'
import { StorageClient } from 'storage-js-newest'

const { url, key, serviceKey } = JSON.parse(process.argv[2])
const auth = { persistSession: false, autoRefreshToken: false }
const admin = createClient(url, serviceKey, { auth })
const anyone = createClient(url, key, { auth })
const user = createClient(url, key, { auth })
const seen = {}

const needed = ({ data, error }) => {
  if (error) throw new Error(JSON.stringify(error) + ' ' + error.message)
  return data
}
const refused = ({ error }) => `${error?.status} ${error?.statusCode} ${error?.message}`

// Buckets
seen.bucket = needed(await admin.storage.createBucket('avatars', { public: true, fileSizeLimit: '1MB' })).name
needed(await admin.storage.createBucket('private', { allowedMimeTypes: ['text/plain', 'image/*'] }))
seen.again = refused(await admin.storage.createBucket('avatars'))
seen.buckets = needed(await admin.storage.listBuckets()).map((bucket) => bucket.id)
seen.limit = needed(await admin.storage.getBucket('avatars')).file_size_limit
seen.updated = needed(await admin.storage.updateBucket('avatars', { public: true })).message
seen.denied = refused(await anyone.storage.createBucket('mine'))

// Uploads: text, bytes, a blob (as a form), a stream
const avatars = admin.storage.from('avatars')
seen.uploaded = needed(await avatars.upload('a/text.txt', 'hello', { contentType: 'text/plain', metadata: { a: 1 } })).fullPath
needed(await avatars.upload('a/bytes.bin', new Uint8Array([1, 2, 3])))
needed(await avatars.upload('a/blob.png', new Blob(['PNG'], { type: 'image/png' }), { cacheControl: '60' }))
const stream = new Blob(['streamed']).stream()
needed(await avatars.upload('a/stream.txt', stream, { duplex: 'half', contentType: 'text/plain' }))
seen.duplicate = refused(await avatars.upload('a/text.txt', 'again'))
needed(await avatars.upload('a/text.txt', 'again', { upsert: true }))
needed(await avatars.update('a/bytes.bin', new Uint8Array([4, 5])))
seen.tooLarge = refused(await avatars.upload('large', new Uint8Array(1_048_577)))
seen.wrongType = refused(await admin.storage.from('private').upload('x.pdf', 'x', { contentType: 'application/pdf' }))
seen.unicode = needed(await avatars.upload('Grüße/日本.txt', 'x')).path

// Downloads
seen.text = await needed(await avatars.download('a/text.txt')).text()
seen.bytes = [...new Uint8Array(await needed(await avatars.download('a/bytes.bin')).arrayBuffer())]
seen.streamed = await needed(await avatars.download('a/stream.txt')).text()
seen.unicodeText = await needed(await avatars.download('Grüße/日本.txt')).text()
const picture = await fetch(avatars.getPublicUrl('a/blob.png').data.publicUrl)
seen.picture = [picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control'), await picture.text()]
const part = await fetch(avatars.getPublicUrl('a/text.txt').data.publicUrl, { headers: { range: 'bytes=1-2' } })
seen.part = [part.status, part.headers.get('content-range'), await part.text()]
const named = await fetch(avatars.getPublicUrl('a/text.txt', { download: 'x.txt' }).data.publicUrl)
seen.disposition = named.headers.get('content-disposition')
seen.info = needed(await avatars.info('a/blob.png')).contentType
seen.exists = [(await avatars.exists('a/text.txt')).data, (await avatars.exists('a/none')).data]
seen.missing = (await admin.storage.from('private').createSignedUrl('none', 60)).error?.message

// Images: half red, half blue, made by hand
const crc = (bytes) => {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
const chunk = (name, body) => {
  const named = Buffer.concat([Buffer.from(name), body])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(body.length, 0)
  numbers.writeUInt32BE(crc(named), 4)
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
}
const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(60, Buffer.from([255, 0, 0])), Buffer.alloc(60, Buffer.from([0, 0, 255]))])
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', Buffer.from('00000028000000140802000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.concat(Array(20).fill(line)))),
  chunk('IEND', Buffer.alloc(0)),
])
const sizeOf = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
needed(await avatars.upload('a/image.png', png, { contentType: 'image/png' }))
const small = await fetch(avatars.getPublicUrl('a/image.png', { transform: { width: 10, height: 10, resize: 'contain' } }).data.publicUrl)
seen.image = [small.status, small.headers.get('content-type'), small.headers.get('x-transformations')]
seen.imageSize = sizeOf(Buffer.from(await small.arrayBuffer()))
const webp = await fetch(avatars.getPublicUrl('a/image.png', { transform: { width: 10 } }).data.publicUrl, { headers: { accept: 'image/webp,*/*' } })
seen.webp = webp.headers.get('content-type')
const thumbnail = needed(await avatars.download('a/image.png', { transform: { width: 20, quality: 50, format: 'origin' } }))
seen.downloadedImage = sizeOf(Buffer.from(await thumbnail.arrayBuffer()))
const signedImage = needed(await avatars.createSignedUrl('a/image.png', 60, { transform: { width: 8, height: 8, resize: 'cover' } }))
const squared = await fetch(signedImage.signedUrl)
seen.signedImage = [squared.status, ...sizeOf(Buffer.from(await squared.arrayBuffer()))]
needed(await avatars.upload('a/no.png', 'no image', { contentType: 'image/png' }))
const noImage = await fetch(avatars.getPublicUrl('a/no.png', { transform: { width: 20 } }).data.publicUrl)
const whyNot = await noImage.json()
seen.noImage = `${noImage.status} ${whyNot.statusCode} ${whyNot.message}`
needed(await avatars.remove(['a/image.png', 'a/no.png']))
seen.thrown = await admin.storage.from('avatars').throwOnError().info('none').catch((error) => error.constructor.name)
seen.base64 = Buffer.from(avatars.toBase64('{"a":1}'), 'base64').toString()

// What newer clients have besides
const headers = (token) => ({ apikey: token, authorization: `Bearer ${token}` })
const newest = new StorageClient(`${url}/storage/v1`, headers(serviceKey))
const newAvatars = newest.from('avatars')
needed(await newAvatars.upload('new/ä & b.txt', 'newest', { contentType: 'text/plain', metadata: { b: [2] } }))
seen.newest = {
  stream: await new Response(needed(await newAvatars.download('new/ä & b.txt').asStream())).text(),
  blob: await needed(await newAvatars.download('a/text.txt')).text(),
  info: needed(await newAvatars.info('new/ä & b.txt')).metadata,
  exists: [(await newAvatars.exists('new/ä & b.txt')).data, (await newAvatars.exists('new/none')).data],
  buckets: needed(await newest.listBuckets({ search: 'AVA', limit: 1, sortColumn: 'id', sortOrder: 'desc' })).map(({ id }) => id),
  purged: needed(await newAvatars.purgeCache('a/text.txt')).message,
  bucketPurged: needed(await newest.purgeBucketCache('avatars', { transformations: true })).message,
  purgedByAnyone: refused(await new StorageClient(`${url}/storage/v1`, headers(key)).from('avatars').purgeCache('a/text.txt')),
  signed: await (await fetch(needed(await newAvatars.createSignedUrl('new/ä & b.txt', 60)).signedUrl)).text(),
  publicUrl: await (await fetch(newAvatars.getPublicUrl('new/ä & b.txt').data.publicUrl)).text(),
  removed: needed(await newAvatars.remove(['new/ä & b.txt'])).length,
}

// Listings
seen.list = needed(await avatars.list()).map((entry) => entry.name)
seen.folder = needed(await avatars.list('a', { sortBy: { column: 'name', order: 'desc' }, limit: 3 })).map((entry) => entry.name)
seen.size = needed(await avatars.list('a', { search: 'blob' }))[0].metadata.size
const page = needed(await avatars.listV2({ with_delimiter: true, limit: 1 }))
seen.page = [page.hasNext, page.folders.map((folder) => folder.name)]
seen.pages = []
for (let cursor, more = true; more; ) {
  const next = needed(await avatars.listV2({ limit: 2, ...(cursor && { cursor }) }))
  seen.pages.push(next.objects.map((file) => file.name))
  cursor = next.nextCursor
  more = next.hasNext
}

// Signed URLs
const secret = admin.storage.from('private')
needed(await secret.upload('dir/secret.txt', 'secret', { contentType: 'text/plain' }))
const signed = needed(await secret.createSignedUrl('dir/secret.txt', 60, { download: true }))
const opened = await fetch(signed.signedUrl)
seen.signed = [opened.status, opened.headers.get('content-disposition'), await opened.text()]
seen.forged = (await fetch(signed.signedUrl.replace('secret.txt', 'other.txt'))).status
seen.many = needed(await secret.createSignedUrls(['dir/secret.txt', 'none'], 60)).map((one) => one.error)
const place = needed(await secret.createSignedUploadUrl('dir/up.txt'))
seen.placed = needed(
  await anyone.storage.from('private').uploadToSignedUrl('dir/up.txt', place.token, 'up', { contentType: 'text/plain' })
).path
seen.closed = (await anyone.storage.from('private').download('dir/secret.txt')).error !== null

// Moves, copies, removals
seen.moved = needed(await secret.move('dir/up.txt', 'dir/moved.txt')).message
seen.movedOver = needed(await secret.move('dir/moved.txt', 'moved.txt', { destinationBucket: 'avatars' })).message
needed(await avatars.move('moved.txt', 'dir/moved.txt', { destinationBucket: 'private' }))
seen.movedBack = await needed(await secret.download('dir/moved.txt')).text()
seen.copied = needed(await secret.copy('dir/moved.txt', 'copied.txt', { destinationBucket: 'avatars' })).path
seen.removed = needed(await avatars.remove(['copied.txt', 'none'])).map((file) => file.name)

// Beyond Supabase, which the client has no calls for: whole folders, versions
const call = async (method, path, body) => {
  const answer = await fetch(`${url}/storage/v1${path}`, {
    method,
    headers: { ...headers(serviceKey), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.json()
}
const words = ({ message, ...rest }) => `${message} ${JSON.stringify(rest)}`
needed(await secret.upload('trip/1.txt', 'one', { contentType: 'text/plain' }))
needed(await secret.upload('trip/b/2.txt', 'two', { contentType: 'text/plain' }))
const trip = { bucketId: 'private', recursive: true }
seen.folders = [
  words(await call('POST', '/object/move', { ...trip, sourceKey: 'trip', destinationKey: 'trips/2025' })),
  words(await call('POST', '/object/copy', { ...trip, sourceKey: 'trips', destinationKey: 'copies' })),
  await needed(await secret.download('copies/2025/b/2.txt')).text(),
  words(await call('DELETE', '/object/private', { prefixes: ['copies'], recursive: true })),
]
await call('PUT', '/bucket/private', { versioning_status: 'ENABLED' })
needed(await secret.update('trips/2025/1.txt', 'another', { contentType: 'text/plain' }))
needed(await secret.remove(['trips/2025/1.txt']))
const versions = await call('GET', '/versions/private/trips/2025/1.txt')
seen.versions = versions.map((version) => version.metadata.size)
seen.deletedFiles = (await call('GET', '/versions/private?prefix=trips/')).map((version) => version.name)
await call('POST', '/versions/private/trips/2025/1.txt')
seen.undeleted = await needed(await secret.download('trips/2025/1.txt')).text()
await call('POST', '/versions/private/trips/2025/1.txt', { version: versions[1].version })
seen.rolledBack = await needed(await secret.download('trips/2025/1.txt')).text()
seen.webhooks = await call('GET', '/webhooks')

// Row security: a user's own folder
const { session } = needed(await user.auth.signUp({ email: 'ann@example.com', password: 'correct horse' }))
const home = session.user.id
const files = user.storage.from('private')
seen.own = needed(await files.upload(`${home}/mine.txt`, 'mine', { contentType: 'text/plain' })).path === `${home}/mine.txt`
seen.other = refused(await files.upload('elsewhere/mine.txt', 'mine', { contentType: 'text/plain' }))
seen.ownText = await needed(await files.download(`${home}/mine.txt`)).text()
seen.hidden = needed(await files.list('dir'))
seen.strange = needed(await anyone.storage.from('private').remove([`${home}/mine.txt`]))
seen.ownRemoved = needed(await files.remove([`${home}/mine.txt`]))[0].owner_id === home

// The end
seen.full = refused(await admin.storage.deleteBucket('avatars'))
needed(await admin.storage.emptyBucket('avatars'))
seen.deleted = needed(await admin.storage.deleteBucket('avatars')).message

console.log(JSON.stringify(seen))
