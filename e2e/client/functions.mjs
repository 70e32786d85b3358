// What an application sees of its project's functions through supabase-js. What it needs comes as JSON in the first
// argument: { url, key, calls: [{ name, method?, body?, key?, stream? }] }. What happened goes to standard output as JSON.
import { createClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'

const { url, key, calls } = JSON.parse(process.argv[2])
const client = (apikey) => createClient(url, apikey, { auth: { persistSession: false, autoRefreshToken: false } })

const kind = (error) =>
  error instanceof FunctionsRelayError ? 'relay' : error instanceof FunctionsHttpError ? 'http' : error?.name

// The pieces of an event stream, and whether the first came before the stream ended.
const events = async (response) => {
  const pieces = []
  let firstAt
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    firstAt ??= Date.now()
    pieces.push(piece)
  }
  return { text: pieces.join(''), seenBeforeEnd: Date.now() - firstAt > 200 }
}

const results = []
for (const call of calls) {
  const { data, error } = await client(call.key ?? key).functions.invoke(call.name, {
    method: call.method,
    body: call.body,
    headers: call.headers
  })
  results.push({
    data: data instanceof Response ? await events(data) : data,
    error: error ? kind(error) : null,
    status: error?.context?.status ?? null,
    answer: error?.context?.json ? await error.context.json().catch(() => null) : null
  })
}
console.log(JSON.stringify(results))
