// A webhook receiver that counts, records or misbehaves, depending on the path. Run as a child:
//   node bench/webhook-sink.ts <key file> <certificate file> <control port> <port>…
//
// https, one port per endpoint, so that each has its own connections:
//   /count               counts, answers 200
//   /note                records when it arrived and what it was, answers 200
//   /refuse/<times>      the same, but answers 500 to the first attempts of each delivery
//   /moody/<percent>/<ms>  the same, but answers 500 that often, and only after up to <ms> milliseconds
//   /hole                never answers
// http, on the control port:
//   GET /healthz · GET /count · GET /under-way · GET /arrivals · GET /first?made_since=<ms> · DELETE /arrivals
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createControl, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arrival } from './webhook-sink-process.ts'

// Longer than any pause: a connection closed by the receiver would be blamed on the sender.
const keepAliveMs = 120_000

let counted = 0
let arrivals: Arrival[] = []
const seen = new Map<string, number>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The request line and headers are here; the first byte arrived just before.
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

/** Arrivals are in order, and no event is created after it arrived. */
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
    // A sender killed in the middle of a request has not sent it.
    receive(request, response).catch(() => request.destroy())
  })
  server.listen(Number(port), '127.0.0.1')
}
createControl(control).listen(Number(controlPort), '127.0.0.1')
