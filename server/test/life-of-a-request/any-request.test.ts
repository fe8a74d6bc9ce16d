// Fuzzing: any request to any operation gets a documented response. Requests are generated from the OpenAPI document,
// valid or mutated; a failure prints the seed and path with which fast-check repeats it. faults/hostile-requests.ts
// is the long form.
import { Agent } from 'node:http'
import { AgentConfig, AgentPatch, voiceOperations } from '@parley/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { voiceFace } from '../../src/http/openapi/openapi-faces.ts'
import { anyAgent, isTree, type Tree } from '../support/any-agent.ts'
import type { Json } from '../support/arbitrary.ts'
import { exchange, faultOf, type RawReply } from '../support/fuzz/exchange.ts'
import { spoilsOf } from '../support/fuzz/mutations.ts'
import { type DocumentedOperation, type FuzzedRequest, operationsIn } from '../support/fuzz/request.ts'
import { answeringOperations, makeOne } from '../support/requests/example.ts'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from '../support/service.ts'

// Enough for every kind of mutation to occur several times per operation. FUZZ=10 runs ten times as many.
const times = Number(process.env.FUZZ ?? 1)
const runs = { whole: 12 * times, spoilt: 24 * times, roundTrip: 30 * times }

let service: TestService
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  // The receivers of test deliveries do not exist; a slow name server must not hold up hundreds of them.
  service = await openService({
    PARLEY_RATE_LIMIT: '1000000',
    PARLEY_WEBHOOK_TIMEOUT_SECONDS: '0.2',
    // Any number of the interface is one that can be called.
    PARLEY_SANDBOX: 'all',
  })
})
afterAll(async () => {
  agent.destroy()
  await service.close()
})

const credentials = { boundKey, unboundKey, workspaceId }
const spoils = spoilsOf(credentials)

const documented = new Map(
  operationsIn(openApiDocument(voiceOperations, voiceFace)).map((operation) => [operation.id, operation]),
)

/** A valid request with one mutation. */
const spoilt = ({ whole }: DocumentedOperation) =>
  fc
    .tuple(
      whole(credentials),
      fc.oneof(...Object.entries(spoils).map(([name, spoil]) => spoil.map((by) => ({ name, by })))),
    )
    .map(([sent, { name, by }]) => ({ spoiltBy: name, sent: by(sent) }))

const send = (operation: DocumentedOperation, sent: FuzzedRequest) =>
  exchange({ url: service.url, agent }, operation, sent)

const mustBeDocumented = (operation: DocumentedOperation, received: RawReply) =>
  expect(faultOf(operation, received)).toBeUndefined()

const countAgents = async () =>
  (await service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM agents'))[0]?.n

/** Refusals of requests that match their schema, by rules that a schema cannot express. */
const webhookRules = ['UNSUPPORTED_EVENT', 'WEBHOOK_URL_NOT_PUBLIC', 'AGENT_NOT_FOUND']
// The letters or sounds are invalid, the pronunciation is missing, the word is there already, or the agent does not
// exist.
const pronunciationRules = ['VALIDATION_ERROR', 'AGENT_NOT_FOUND']
// A vendor may not speak a known language, which two random letters may be.
const agentRules = ['OPTION_NOT_SERVED']
const byRule: Record<string, readonly string[]> = {
  createAgent: agentRules,
  updateAgent: agentRules,
  createWebhook: webhookRules,
  updateWebhook: webhookRules,
  // The agent or the phone number does not exist, the time is in the past, or the number is too short for a telephone.
  placeCall: ['AGENT_NOT_FOUND', 'PHONE_NUMBER_NOT_FOUND', 'VALIDATION_ERROR', 'EMERGENCY_NUMBER'],
  startWebCall: ['AGENT_NOT_FOUND'],
  // An unknown time zone, or a period that is empty or too long.
  getCallOverview: ['VALIDATION_ERROR'],
  // Also: an unknown time zone, an empty window, a duplicate id.
  createBatch: ['AGENT_NOT_FOUND', 'PHONE_NUMBER_NOT_FOUND', 'VALIDATION_ERROR', 'EMERGENCY_NUMBER'],
  updateBatch: ['VALIDATION_ERROR'],
  // The carrier is connected otherwise, the trunk contradicts itself or is in a private network, or the number is
  // there.
  createPhoneNumber: ['VALIDATION_ERROR', 'AGENT_NOT_FOUND', 'PHONE_NUMBER_EXISTS'],
  updatePhoneNumber: ['VALIDATION_ERROR', 'AGENT_NOT_FOUND'],
  // Its fields contradict each other, its schema is none, or it is in a private network.
  createTool: ['VALIDATION_ERROR', 'URL_NOT_PUBLIC'],
  updateTool: ['VALIDATION_ERROR', 'URL_NOT_PUBLIC'],
  // An edge leads nowhere, or somebody else saved in between.
  putAgentGraph: ['VALIDATION_ERROR', 'AGENT_VERSION_CONFLICT'],
  // The version to compare with may not exist.
  getAgentVersion: ['AGENT_VERSION_NOT_FOUND'],
  // Versions are asked for without an agent.
  listCalls: ['VALIDATION_ERROR'],
  // A field that the vendor needs is missing, or is none of its own, or the address is in a private network.
  putCredentials: ['VALIDATION_ERROR', 'URL_NOT_PUBLIC'],
  createPronunciation: pronunciationRules,
  updatePronunciation: pronunciationRules,
  // More overlap than half of a passage.
  createRepository: ['VALIDATION_ERROR'],
  updateRepository: ['VALIDATION_ERROR'],
  // Neither a text nor an address, or one in a private network.
  addDocument: ['VALIDATION_ERROR', 'URL_NOT_PUBLIC'],
}

/** A caller of whom nothing is known is erased like any other: the answer must not tell. */
const takesAnybody = new Set(['eraseCaller'])

/** Ids in an agent that are looked up, and are not there. */
const isUnknownId = ({ details = [] }: { details?: { path: string }[] }): boolean =>
  details.length > 0 &&
  details.every(({ path }) =>
    /^agent_config\.(phone_number_id|(?:tool_definition|repository)_ids\.\d+)$/.test(path),
  )

describe.each(answeringOperations.map((operation) => [operation.id, operation] as const))(
  '%s',
  (id, operation) => {
    const shown = documented.get(id) as DocumentedOperation
    /** A resource that exists. It serves until a request has succeeded, which may have changed or deleted it. */
    let one: Record<string, string> | undefined
    /** For a resource that exists, or for the ids of the request. */
    const aim = async (sent: FuzzedRequest, atExisting: boolean) => {
      if (atExisting) one ??= await makeOne(service, operation)
      const existing = atExisting ? one : undefined
      return { sent: existing ? { ...sent, params: existing } : sent, exists: existing !== undefined }
    }
    const sendAt = async (sent: FuzzedRequest) => {
      const received = await send(shown, sent)
      if (received.status < 400 && operation.method !== 'GET') one = undefined
      return received
    }

    it('accepts any request that matches its schema', async () => {
      await fc.assert(
        fc.asyncProperty(shown.whole(credentials), fc.boolean(), async (made, atExisting) => {
          const { sent, exists } = await aim(made, atExisting)
          const received = await sendAt(sent)
          mustBeDocumented(shown, received)
          const body = JSON.parse(received.text)
          if (byRule[operation.id]?.includes(body.code) || isUnknownId(body)) return
          const isAbsent = operation.params && !exists && !takesAnybody.has(operation.id)
          // Vendors are few: an earlier request may have stored credentials for any of them.
          if (isAbsent && operation.path.includes('{vendor}') && received.status === operation.status) return
          expect(received.status, received.text).toBe(isAbsent ? 404 : operation.status)
        }),
        { numRuns: runs.whole },
      )
    })

    it('answers any mutated request as documented, and a refused one changes nothing', async () => {
      await fc.assert(
        fc.asyncProperty(spoilt(shown), fc.boolean(), async (made, atExisting) => {
          const { sent } = await aim(made.sent, atExisting)
          const before = await countAgents()
          const received = await sendAt(sent)
          mustBeDocumented(shown, received)
          if (received.status >= 400) expect(await countAgents()).toBe(before)
        }),
        { numRuns: runs.spoilt },
      )
    })
  },
)

// --- Round trips ------------------------------------------------------------------------------------------------

/** The objects that an update merges key by key; everything else is replaced. */
const merging = [
  'llm_agent',
  'llm_agent.llm_config',
  'synthesizer',
  'synthesizer.provider_config',
  'transcriber',
  'task_config',
  'input',
  'output',
]

function afterPatch(config: Tree, patch: Tree): Tree {
  const expected = structuredClone(config)
  // Parents first: a child is merged into what its parent already holds.
  const assign = (target: Tree, change: Tree, path: string) => {
    for (const [key, value] of Object.entries(change)) {
      const at = path + key
      const held = Object.hasOwn(target, key) ? target[key] : undefined
      if (merging.includes(at) && isTree(held) && isTree(value)) assign(held, value, `${at}.`)
      else target[key] = structuredClone(value)
    }
  }
  assign(expected, patch, '')
  return expected
}

/** After a round trip over JSON: -0 is 0. */
const overTheWire = (value: Json): Tree => JSON.parse(JSON.stringify(value))

/** An agent that waits for nothing is not seeding. */
const settled = (config: Tree): Tree =>
  config.status === 'seeding' ? { ...config, status: 'active' } : config

describe('an agent', () => {
  const read = async (id: string) => (await service.ask('GET', `/agents/${id}`)).body.data

  it('is read as written, with defaults applied and updates merged', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyAgent(AgentConfig).map(overTheWire),
        fc.array(anyAgent(AgentPatch).map(overTheWire), { minLength: 1, maxLength: 3 }),
        async (config, patches) => {
          const made = await service.ask('POST', '/agents', { body: { agent_config: config } })
          expect(made.status, made.text).toBe(201)
          const id = made.body.data.agent_id
          let expected: Tree = settled({ status: 'active', ...(AgentConfig.parse(config) as Tree) })
          expect(await read(id)).toMatchObject({ agent_id: id, status: expected.status })
          expect((await read(id)).agent_config).toEqual(expected)
          for (const patch of patches) {
            const changed = await service.ask('PATCH', `/agents/${id}`, { body: { agent_config: patch } })
            expect(changed.status, changed.text).toBe(200)
            expected = settled(afterPatch(expected, patch))
            expect(changed.body.data.agent_config).toEqual(expected)
            expect((await read(id)).agent_config).toEqual(expected)
          }
        },
      ),
      {
        numRuns: runs.roundTrip,
        examples: [
          // Names on Object.prototype; as keys of a user they are ordinary.
          [
            { agent_name: 'a', llm_agent: {} },
            [
              { synthesizer: { provider_config: { constructor: { a: 1 } } } },
              { synthesizer: { provider_config: { constructor: { b: 1 } } } },
            ],
          ],
        ],
      },
    )
  })
})
