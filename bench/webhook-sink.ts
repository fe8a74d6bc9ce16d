// A receiver of webhooks that counts, notes or misbehaves, as the path of the request asks. Run as a child:
//   node bench/webhook-sink.ts <key file> <certificate file> <control port> <port>…
//
// https, one port for each endpoint, so that each has connections of its own:
//   /count               counts, answers 200
//   /note                notes when it came and what it was, answers 200
//   /refuse/<times>      the same, but answers 500 the first times it is asked to take a delivery
//   /moody/<percent>/<ms>  the same, but answers 500 that often, and only after up to so many milliseconds
//   /hole                never answers
// http, on the control port:
//   GET /healthz · GET /count · GET /under-way · GET /arrivals · GET /first?made_since=<ms> · DELETE /arrivals
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createControl, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arrival } from './webhook-sink-process.ts'

// Longer than any run pauses: a connection that the receiver closes would be measured as the sender's fault.
const keepAliveMs = 120_000

let counted = 0
let arrivals: Arrival[] = []
const seen = new Map<string, number>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The request line and the headers are here; its first byte was not long ago.
  const atMs = Date.now()
  const [, behaviour, ...wishes] = (request.url ?? '').split('/')
  if (behaviour === 'count') {
    request.resume()
    request.once('end', () => {
      counted++
      response.end()
    })
    return
  }
  const body = Buffer.concat(await request.toArray())
  const deliveryId = String(request.headers['x-svc-delivery-id'])
  const before = seen.get(deliveryId) ?? 0
  seen.set(deliveryId, before + 1)
  const arrival: Arrival = {
    deliveryId,
    atMs,
    sentAtMs: 1000 * Number(request.headers['x-svc-timestamp']),
    madeAtMs: Date.parse(JSON.parse(body.toString()).created_at),
    sha256: createHash('sha256').update(body).digest('hex'),
    status: null,
    answeredAtMs: null,
  }
  arrivals.push(arrival)
  if (behaviour === 'hole') return
  const [first = 0, longestMs = 0] = wishes.map(Number)
  if (longestMs > 0) await sleep(Math.random() * longestMs)
  const refuses =
    behaviour === 'refuse' ? before < first : behaviour === 'moody' && Math.random() * 100 < first
  arrival.status = refuses ? 500 : 200
  arrival.answeredAtMs = Date.now()
  response.writeHead(arrival.status).end()
}

/** Arrivals are in order, and no event is made after it arrived. */
function firstMadeSince(ms: number): Arrival | undefined {
  let found: Arrival | undefined
  for (let at = arrivals.length - 1; at >= 0; at--) {
    const arrival = arrivals[at] as Arrival
    if (arrival.atMs < ms) break
    if (arrival.madeAtMs >= ms) found = arrival
  }
  return found
}

function control(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://sink')
  const answer = (body: unknown) => response.end(JSON.stringify(body))
  if (request.method === 'DELETE') {
    arrivals = []
    seen.clear()
    answer(null)
  } else if (pathname === '/count') answer(counted)
  else if (pathname === '/under-way') answer(arrivals.filter(({ status }) => status === null).length)
  else if (pathname === '/arrivals') answer(arrivals)
  else if (pathname === '/first') answer(firstMadeSince(Number(searchParams.get('made_since'))) ?? null)
  else answer('ok')
}

const [keyFile = '', certificateFile = '', controlPort, ...ports] = process.argv.slice(2)
const identity = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) }
for (const port of ports) {
  const server = createServer({ ...identity, keepAliveTimeout: keepAliveMs }, (request, response) => {
    // A sender that is killed in the middle of a request has not made it.
    receive(request, response).catch(() => request.destroy())
  })
  server.listen(Number(port), '127.0.0.1')
}
createControl(control).listen(Number(controlPort), '127.0.0.1')
