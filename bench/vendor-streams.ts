// What our half adds to a vendor's stream: from the vendor's first byte to the first frame, and from a text that is ready to
// its first byte on the wire. The yardstick is a bare WebSocket to the same server in the same minute.
import { WebSocket } from 'ws'
import type { Synthesizer } from '../server/src/ports/synthesizer.ts'
import { speaks as deepgram } from '../server/src/vendors/deepgram/speaks.ts'
import { openVendorServer } from '../server/test/props/vendors/vendor-server.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const rounds = 400
const apiKey = 'bench'
const options = { voice: '', rateHz: 8_000 } as const
// 100 ms of sound, as vendors send it.
const sound = Buffer.alloc(1_600, 1)

interface Times {
  /** From the client's message to the server. */
  readonly outMs: number[]
  /** From the server's sound to the client. */
  readonly backMs: number[]
}

export async function measure(): Promise<Row[]> {
  let heardMs = 0
  let sentMs = 0
  const server = await openVendorServer({
    knows: () => true,
    socket(client) {
      client.onMessage((raw) => {
        if (!raw.toString().includes('Flush')) {
          heardMs = performance.now()
          return
        }
        sentMs = performance.now()
        client.send(sound)
        client.send('{"type":"Flushed","sequence_id":0}')
      })
    },
  })
  const engine = deepgram.open({ credentials: { apiKey }, baseUrl: server.baseUrl })
  await engine.warm?.(options, new AbortController().signal)
  const bare = new WebSocket(server.baseUrl.replace('http', 'ws'))
  await new Promise((open) => bare.once('open', open))

  const ours: Times = { outMs: [], backMs: [] }
  const theirs: Times = { outMs: [], backMs: [] }
  // One of ours, one of theirs: whatever else the machine does disturbs both alike.
  for (let n = 0; n < rounds; n++) {
    const startedMs = performance.now()
    const frameMs = await sayOnce(engine)
    ours.outMs.push(heardMs - startedMs)
    ours.backMs.push(frameMs - sentMs)
    const bareStartedMs = performance.now()
    const bareMs = await sendOnce(bare)
    theirs.outMs.push(heardMs - bareStartedMs)
    theirs.backMs.push(bareMs - sentMs)
  }
  engine.close?.()
  bare.close()
  await server.close()
  return [
    rowOf('first byte of a vendor to the first frame, p95', ours.backMs, theirs.backMs, 3),
    rowOf('text that is ready to its first byte at the vendor, p95', ours.outMs, theirs.outMs, 2),
  ]
}

/** When the first frame came. */
async function sayOnce(engine: Synthesizer): Promise<number> {
  const stream = engine.open(options, new AbortController().signal)
  stream.write('Good day.')
  stream.flush()
  stream.finish()
  let frameMs = 0
  for await (const event of stream) if (event.type === 'frame') frameMs ||= performance.now()
  return frameMs
}

/** When the first message came. */
async function sendOnce(socket: WebSocket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const flushed = Promise.withResolvers<void>()
  socket.once('message', () => {
    resolve(performance.now())
    socket.once('message', () => flushed.resolve())
  })
  socket.send('{"type":"Speak","text":"Good day."}')
  socket.send('{"type":"Flush"}')
  await flushed.promise
  return promise
}

function rowOf(claim: string, ours: readonly number[], theirs: readonly number[], mostMs: number): Row {
  const [measured, yardstick] = [p95(ours), p95(theirs)]
  const moreMs = measured - yardstick
  return {
    claim,
    measured: `${measured.toFixed(2)} ms`,
    yardstick: `${yardstick.toFixed(2)} ms over a bare socket`,
    ratio: `+${moreMs.toFixed(2)} ms`,
    target: `at most ${mostMs} ms more`,
    verdict: verdict(moreMs <= mostMs),
  }
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

await printIfMain(import.meta.url, measure)
