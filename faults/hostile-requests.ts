// Disaster: 200,000 requests made from the OpenAPI documents, valid and broken, with and without keys. No 500, no status
// that is not documented, no answer without its envelope, and no memory lost.
//   node faults/hostile-requests.ts [requests] [seed] [first]
// The same seed sends the same requests. `first` goes on where a run was broken off; a failure names its own.
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { median } from '../bench/rounds.ts'
import { apiKey, type Child, makeHome, startService, workspaceId } from '../bench/service-process.ts'
import { exchange, faultOf, type RawReply, type Target } from '../server/test/support/fuzz/exchange.ts'
import { spoilsOf } from '../server/test/support/fuzz/mutations.ts'
import {
  type DocumentedOperation,
  type FuzzedRequest,
  operationsIn,
} from '../server/test/support/fuzz/request.ts'
import { Pool } from './fuzz-pool.ts'

// The first half fills heaps and caches; over the second half the memory must stay as it is.
const defaultRequests = 200_000
const credentials = {
  boundKey: apiKey,
  unboundKey: 'svc_unbound0000000000000000000000000000000000',
  workspaceId,
}
// Requests that are generated together from one seed, and after which the memory is looked at.
const perRound = 500
// Requests at a time: as many as the connections of the database, more would only wait.
const atOnce = 16
// What a heap may drift between two looks, and what an hour of such requests may add without being a leak.
const driftBytes = 48 * 1024 ** 2
const mostTold = 20

interface PreparedRequest {
  readonly operation: DocumentedOperation
  readonly spoiltBy: string
  readonly sent: FuzzedRequest
  readonly atExisting: boolean
  readonly pick: number
}

export interface FuzzReport {
  readonly sent: number
  readonly byStatus: Readonly<Record<string, number>>
  /** A line for each answer that was wrong. */
  readonly faults: readonly string[]
  /** Resident memory of the service in bytes: in the third quarter of the run and in the last. */
  readonly memory: { readonly early: number; readonly late: number }
}

/** Requests of the documents, two broken ones for each whole one. */
const anyRequest = (operations: readonly DocumentedOperation[]): fc.Arbitrary<PreparedRequest> => {
  const spoils = Object.entries(spoilsOf(credentials)).map(([name, spoil]) =>
    spoil.map((by) => ({ spoiltBy: name, by })),
  )
  const whole = fc.constant({ spoiltBy: 'nothing', by: (sent: FuzzedRequest) => sent })
  const spoil = fc.oneof({ weight: 1, arbitrary: whole }, { weight: 2, arbitrary: fc.oneof(...spoils) })
  return fc.oneof(
    ...operations.map((operation) =>
      fc
        .tuple(operation.whole(credentials), spoil, fc.boolean(), fc.nat())
        .map(([sent, { spoiltBy, by }, atExisting, pick]) => {
          return { operation, spoiltBy, sent: by(sent), atExisting, pick }
        }),
    ),
  )
}

export async function hostileRequests(
  requests: number,
  seed: number,
  first: number,
  say: (line: string) => void,
): Promise<FuzzReport> {
  const home = await makeHome()
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let service: Child | undefined
  try {
    service = await startService(home, {
      env: {
        // Nothing is dialled or delivered: what the fuzz creates must not call anybody.
        PARLEY_ROLES: 'api,speech',
        PARLEY_API_KEY: credentials.unboundKey,
        PARLEY_WEBHOOK_TIMEOUT_SECONDS: '0.2',
        PARLEY_SPEECH_SYNC_SECONDS: '1',
      },
    })
    const target = { url: home.url, agent }
    const made = anyRequest(await readOperations(home.url))
    const run = new HostileTraffic(target, seed)
    const memory: number[] = []
    const from = Math.floor(first / perRound)
    for (let round = from; round < from + Math.ceil(requests / perRound); round++) {
      await run.round(round, fc.sample(made, { seed: seed + round, numRuns: perRound }))
      memory.push(residentBytes(service.pid))
      if ((round + 1) % 20 === 0) say(run.line(memory.at(-1) ?? 0))
    }
    const quarter = Math.ceil(memory.length / 4)
    return {
      ...run.report(),
      memory: { early: median(memory.slice(2 * quarter, 3 * quarter)), late: median(memory.slice(-quarter)) },
    }
  } finally {
    agent.destroy()
    await service?.stop()
    await home.remove()
  }
}

async function readOperations(url: string): Promise<DocumentedOperation[]> {
  const documents = await Promise.all(
    ['/agent/v1', '/v1'].map(async (prefix) => (await fetch(`${url}${prefix}/openapi.json`)).json()),
  )
  return documents.flatMap(operationsIn)
}

class HostileTraffic {
  readonly #target: Target
  readonly #seed: number
  readonly #pool = new Pool()
  readonly #byStatus: Record<string, number> = {}
  readonly #faults: string[] = []
  #sent = 0

  constructor(target: Target, seed: number) {
    this.#target = target
    this.#seed = seed
  }

  /** Sends a fixed number of requests at a time, each as soon as there is room. */
  async round(round: number, requests: readonly PreparedRequest[]): Promise<void> {
    const waiting = requests.entries()
    const work = async () => {
      for (const [place, made] of waiting) await this.#one(round * perRound + place, made)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  async #one(place: number, { operation, spoiltBy, sent, atExisting, pick }: PreparedRequest): Promise<void> {
    const aimed = atExisting && sent.rawParam === undefined ? this.#pool.aim(operation, sent, pick) : sent
    const received = await this.#exchange(operation, aimed)
    this.#sent++
    const status = typeof received === 'string' ? 'no answer' : String(received.status)
    this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1
    const fault = typeof received === 'string' ? received : faultOf(operation, received)
    if (fault) {
      const again = `node faults/hostile-requests.ts ${perRound} ${this.#seed} ${place - (place % perRound)}`
      this.#faults.push(
        `request ${place}, ${operation.id} with ${spoiltBy}: ${fault.slice(0, 500)} (${again})`,
      )
    }
    if (typeof received !== 'string') this.#pool.note(operation, aimed, received)
  }

  /** A connection that the service closed while it was idle is replaced once. */
  async #exchange(operation: DocumentedOperation, sent: FuzzedRequest): Promise<RawReply | string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await exchange(this.#target, operation, sent)
      } catch (error) {
        if (attempt > 1) return `no answer: ${error}`
      }
    }
  }

  line(memoryBytes: number): string {
    return `${this.#sent} requests, ${megabytes(memoryBytes)} MB, ${this.#pool.size} things at hand, ${this.#faults.length} faults`
  }

  report(): Omit<FuzzReport, 'memory'> {
    return { sent: this.#sent, byStatus: this.#byStatus, faults: this.#faults }
  }
}

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const [requests = defaultRequests, seed = startedAt % 1_000_000_000, first = 0] = process.argv
    .slice(2)
    .map(Number)
  console.log(`seed ${seed}`)
  const { sent, byStatus, faults, memory } = await hostileRequests(requests, seed, first, console.error)
  for (const fault of faults.slice(0, mostTold)) console.log(fault)
  const grown = memory.late - memory.early
  console.log(`${sent} requests in ${Math.round((Date.now() - startedAt) / 1000)} s:`, byStatus)
  console.log(
    `memory ${megabytes(memory.early)} MB in the third quarter, ${megabytes(memory.late)} MB in the last`,
  )
  console.log(`faults ${faults.length}`)
  if (faults.length > 0 || grown > driftBytes) process.exitCode = 1
}
