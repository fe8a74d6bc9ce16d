// Every template, called as it is by somebody of the sandbox, offline and on the virtual clock: its task reaches its end, and
// the agent hangs up. The frames are real; what the caller's voice says is what the recogniser hears.
import { AgentConfig, type AgentTemplateName, agentTemplates } from '@parley/contract'
import { afterAll, expect, it } from 'vitest'
import { startCall } from '../../src/call/session.ts'
import { sandboxCarrier } from '../../src/carriers/sandbox/sandbox.ts'
import { dialoguePolicy } from '../../src/engines/dialogue/dialogue-policy.ts'
import { pauseAfterMs } from '../../src/engines/voice/speak.ts'
import { graphByPolicy } from '../../src/mind/graph/graph-by-policy.ts'
import type { CallOutcome } from '../../src/ports/call.ts'
import { overClauses } from '../../src/ports/clause-stream.ts'
import { planOf } from '../../src/resources/calls/plan/plan-call.ts'
import { memoryEngines } from '../props/call/sandbox-call.ts'
import { ScriptedTranscriber } from '../props/call/scripted-transcriber.ts'
import { openVirtualTicker } from '../props/virtual-clock/virtual-ticker.ts'

interface Trial {
  /** What the other side says, each line after an answer. */
  readonly says: readonly string[]
  /** What the agent says when the task is done, in this order. */
  readonly hears: readonly RegExp[]
}

const trials: Record<AgentTemplateName, Trial> = {
  receptionist: {
    says: [
      'I would like an appointment.',
      'My name is Anna Miller.',
      'Next Tuesday.',
      'Yes.',
      'No, thank you.',
    ],
    hears: [/your name/, /Which day/, /Anna Miller.*Tuesday/, /Good-bye/],
  },
  reminder: {
    says: ['Hello?', 'Yes, I can come.', 'No, thank you.'],
    hears: [/Hello Anna/, /Tuesday at three.*Can you come/, /Good-bye/],
  },
  survey: {
    says: ['Yes, sure.', 'Four.', 'Answer the phone faster.', 'Yes, I would.'],
    hears: [/how satisfied/, /do better/, /recommend/, /taking part/],
  },
  qualification: {
    says: ['Yes, it is.', 'Yes, I do.', 'About two hundred dollars.', 'Next month.'],
    hears: [/own your home/, /electricity bill/, /install/, /Good-bye/],
  },
  support: {
    says: ['How much is shipping?', 'No, thank you, that is all.'],
    hears: [/5 euros/, /Good-bye/],
  },
  collections: {
    says: ['Hello?', 'Next Friday.', 'No, I do not.', 'No, thank you.'],
    hears: [/balance of 120 dollars.*When will you pay/, /payment plan/, /Good-bye/],
  },
  orderStatus: {
    says: ['Are returns possible?', 'No, that is all, thank you.'],
    hears: [/within 30 days/, /Good-bye/],
  },
  stepByStep: {
    says: ['Hello?', 'Yes, please.', 'Tom Baker.', 'Four.'],
    hears: [/book a table/, /your name/, /How many guests/, /reserved.*Good-bye/],
  },
}

const variables = {
  name: 'Anna',
  appointment: 'Tuesday at three',
  amount: '120 dollars',
  due_date: 'May first',
}

const ticker = openVirtualTicker()
afterAll(() => ticker.close())

const names = Object.keys(trials) as AgentTemplateName[]

it.each(names)('%s reaches the end of its task', async (name) => {
  const { transcript, terminatedBy, hangupReason } = await call(name)
  const said = transcript.map(({ role, content }) => `${role}: ${content}`)
  const agent = said.filter((line) => line.startsWith('agent: ')).join('\n')
  const asked = new RegExp(trials[name].hears.map(({ source }) => source).join('[^]*'))
  expect(agent, said.join('\n')).toMatch(asked)
  expect([terminatedBy, hangupReason]).toEqual(['agent', 'end_call_tool'])
})

async function call(name: AgentTemplateName): Promise<CallOutcome> {
  const steps = trials[name].says.map((say) => ({ say }))
  const metadata = { sandbox: { ring_ms: 0, steps, afterwards: 'silence' } }
  const config = AgentConfig.parse(agentTemplates[name].config)
  const given = {
    sessionId: name,
    workspaceId: 'w',
    agentId: 'a',
    to: '+15550100',
    from: null,
    provider: 'sandbox',
  }
  const plan = planOf(
    config,
    { ...given, number: null, variables, metadata, callType: 'outbound' },
    new Date(),
  )
  const { graph } = plan.dialogue
  const ears = new Ears()
  const carrier = sandboxCarrier({ ...memoryEngines, ticker, synthesizer: ears.voice })
  const session = startCall(plan, {
    connect: (listener) => carrier.dial({ ...given, trunkId: null, metadata }, listener),
    transcriber: ears,
    synthesizer: overClauses(memoryEngines.synthesizer, ['en'], pauseAfterMs),
    voice: 'heart',
    detector: memoryEngines.detector,
    model: graph ? graphByPolicy(graph, variables, undefined) : dialoguePolicy(),
    tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
    engines: [],
    onUpdate() {},
  })
  let begunMs: number | undefined
  const ticks = ticker.add((nowMs) => {
    begunMs ??= nowMs
    session.tick(nowMs - begunMs)
  })
  const outcome = await session.done
  ticks.end()
  return outcome
}

/** A recogniser that hears what the caller's voice was given to say. */
class Ears extends ScriptedTranscriber {
  readonly #said: string[] = []

  readonly voice: typeof memoryEngines.synthesizer = {
    synthesize: (text, ...rest) => {
      this.#said.push(text)
      return memoryEngines.synthesizer.synthesize(text, ...rest)
    },
  }

  override open(options: unknown, signal: AbortSignal) {
    const stream = super.open(options, signal)
    // One after the other: the voice makes the next sentence before it is its time.
    stream.finalize = () => stream.push({ type: 'final', text: this.#said.shift() ?? '' })
    return stream
  }
}
