// The engines that all scenarios share, and one call over the sandbox line with them.
import { readFile } from 'node:fs/promises'
import { AgentConfig } from '@parley/contract'
import { ambienceOf, chooseTrack, openAmbience } from '../../../src/adapters/ambience.ts'
import { sandboxCarrier } from '../../../src/adapters/carriers/sandbox/sandbox.ts'
import { fliteSynthesizer } from '../../../src/adapters/embedded/flite/flite.ts'
import { moonshineTranscriber } from '../../../src/adapters/embedded/moonshine/moonshine.ts'
import { sileroDetector } from '../../../src/adapters/embedded/silero/silero.ts'
import { overClauses } from '../../../src/adapters/tts/over-clauses.ts'
import { startCall } from '../../../src/call/session.ts'
import { frameMs } from '../../../src/media/frame.ts'
import { openTicker } from '../../../src/platform/clock/ticker.ts'
import type { CallOutcome, CallUpdate } from '../../../src/ports/call.ts'
import type { CallPlan } from '../../../src/ports/call-plan.ts'
import { planOf } from '../../../src/resources/calls/plan-call.ts'
import { openRecording, recordingPath } from '../../../src/resources/calls/recording-file.ts'
import { voiceIntervals } from '../recording/hear-back.ts'
import type { Interval } from '../recording/recording.ts'
import type { Scenario } from './scenario.ts'
import { scriptedModel } from './scripted-model.ts'

const never = new AbortController().signal

export type Fixture = Awaited<ReturnType<typeof openFixture>>

/** What is left of a call when it is over. */
export interface Played {
  readonly outcome: CallOutcome
  readonly notes: readonly string[]
  /** Where this machine was too busy to send anything. */
  readonly stalls: readonly Interval[]
  /** Null: it was never answered. */
  readonly wav: Uint8Array | null
}

/** Warm: a service has loaded its engines before the first call. */
export async function openFixture(modelsFolder: string) {
  const synthesizer = fliteSynthesizer({ folder: modelsFolder })
  const transcriber = moonshineTranscriber({ folder: modelsFolder })
  const detector = sileroDetector({ folder: modelsFolder })
  const ticker = openTicker()
  await transcriber.transcribe(new Int16Array(16_000))
  await voiceIntervals(detector, new Int16Array(8_000), 8_000)
  for await (const _ of synthesizer.synthesize('Hello.', { voice: 'slt', rateHz: 8_000 }, never));
  const carrier = sandboxCarrier({
    ...{ ticker, synthesizer, transcriber, detector },
    noise: openAmbience,
    voice: 'rms',
  })
  return {
    ...{ synthesizer, transcriber, detector, ticker, carrier },
    async close() {
      await ticker.close()
      for (const engine of [synthesizer, transcriber, detector]) await engine.close()
    },
  }
}

export async function play(scenario: Scenario, fixture: Fixture, folder: string): Promise<Played> {
  const plan = planFor(scenario)
  const notes: string[] = []
  const onUpdate = (update: CallUpdate) => void (update.type === 'note' && notes.push(update.note))
  const { sessionId, from, metadata } = plan
  const session = startCall(plan, {
    connect: (listener) => fixture.carrier.dial({ sessionId, to: scenario.to, from, metadata }, listener),
    transcriber: fixture.transcriber,
    synthesizer: overClauses(fixture.synthesizer, ['en']),
    voice: 'slt',
    detector: fixture.detector,
    model: scriptedModel(scenario.agent.answers),
    ...(plan.ambienceTrack && { ambience: ambienceOf(chooseTrack(plan.ambienceTrack).track) }),
    tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
    recording: () => openRecording(folder, sessionId),
    engines: [],
    onUpdate,
  })
  let begunMs: number | undefined
  let lastMs: number | undefined
  const late: Interval[] = []
  const ticks = fixture.ticker.add((nowMs) => {
    begunMs ??= nowMs
    if (lastMs !== undefined && nowMs - lastMs > 1.5 * frameMs)
      late.push({ fromMs: lastMs - begunMs, toMs: nowMs - begunMs })
    lastMs = nowMs
    if (nowMs - begunMs >= scenario.stop_after_ms) session.stop('api')
    // The ticker's times are multiples of 20 ms but for the last bit of a float.
    session.tick(Math.round(nowMs - begunMs))
  })
  const outcome = await session.done
  ticks.end()
  const wav = outcome.recorded ? await readFile(recordingPath(folder, sessionId)) : null
  const answeredMs = outcome.answeredAfterMs ?? 0
  const stalls = late.map(({ fromMs, toMs }) => ({ fromMs: fromMs - answeredMs, toMs: toMs - answeredMs }))
  return { outcome, notes, stalls, wav }
}

function planFor({ name, agent, to, sandbox }: Scenario): CallPlan {
  const config = AgentConfig.parse({
    agent_name: name,
    llm_agent: {},
    agent_welcome_message: agent.welcome,
    task_config: agent.task_config,
    transcriber: agent.transcriber,
  })
  const call = { sessionId: name, workspaceId: 'w', agentId: 'a', to, from: null, variables: {} }
  return planOf(config, { ...call, callType: 'outbound', metadata: { sandbox } }, new Date())
}

/** All of them, a few at a time: each takes as long as it lasts, and together they must not starve the engines. */
export async function playAll(
  scenarios: readonly Scenario[],
  atOnce: number,
  playOne: (scenario: Scenario) => Promise<Played>,
): Promise<ReadonlyMap<string, Played>> {
  const played = new Map<string, Played>()
  const waiting = [...scenarios]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) played.set(next.name, await playOne(next))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return played
}
