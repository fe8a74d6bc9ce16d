// The engines that all scenarios share, and a call over the sandbox carrier with them.
import { readFile } from 'node:fs/promises'
import { AgentConfig } from '@parley/contract'
import { startCall } from '../../../src/call/session.ts'
import { sandboxCarrier } from '../../../src/carriers/sandbox/sandbox.ts'
import { moonshineTranscriber } from '../../../src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../../src/engines/silero/silero.ts'
import { pauseAfterMs } from '../../../src/engines/voice/speak.ts'
import { wrenSynthesizer } from '../../../src/engines/wren/wren.ts'
import type { CallOutcome, CallUpdate } from '../../../src/ports/call.ts'
import type { CallPlan } from '../../../src/ports/call-plan.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { planOf } from '../../../src/resources/calls/plan/plan-call.ts'
import { openRecording, recordingPath } from '../../../src/resources/calls/recordings/recording-file.ts'
import { ambienceOfCall, openAmbience } from '../../../src/speech/ambience.ts'
import { openVirtualTicker } from '../../props/virtual-clock/virtual-ticker.ts'
import type { Scenario } from './scenario.ts'
import { scriptedModel } from './scripted-model.ts'

export type Fixture = Awaited<ReturnType<typeof openFixture>>

/** The result of a call. */
export interface PlayedCall {
  readonly outcome: CallOutcome
  readonly notes: readonly string[]
  /** Null if it was never answered. */
  readonly wav: Uint8Array | null
}

/** On a virtual clock, so that no result depends on the load of this machine. */
export function openFixture(modelsFolder: string) {
  const synthesizer = wrenSynthesizer({ folder: modelsFolder })
  const transcriber = moonshineTranscriber({ folder: modelsFolder })
  const detector = sileroDetector({ folder: modelsFolder })
  const ticker = openVirtualTicker()
  const carrier = sandboxCarrier({
    ticker,
    synthesizer,
    transcriber,
    detector,
    noise: openAmbience,
    voice: 'fenrir',
  })
  return {
    synthesizer,
    transcriber,
    detector,
    ticker,
    carrier,
    async close() {
      await ticker.close()
      for (const engine of [synthesizer, transcriber, detector]) await engine.close()
    },
  }
}

export async function play(scenario: Scenario, fixture: Fixture, folder: string): Promise<PlayedCall> {
  const plan = planFor(scenario)
  const notes: string[] = []
  const onUpdate = (update: CallUpdate) => void (update.type === 'note' && notes.push(update.note))
  const { sessionId, from, metadata } = plan
  const session = startCall(plan, {
    connect: (listener) =>
      fixture.carrier.dial({ sessionId, to: scenario.to, from, trunkId: null, metadata }, listener),
    transcriber: fixture.transcriber,
    synthesizer: overClauses(fixture.synthesizer, ['en'], pauseAfterMs),
    voice: 'heart',
    detector: fixture.detector,
    model: scriptedModel(scenario.agent.answers),
    ambience: ambienceOfCall(plan.ambienceTrack, () => {}),
    tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
    recording: () => openRecording(folder, sessionId),
    engines: [],
    onUpdate,
  })
  let begunMs: number | undefined
  const ticks = fixture.ticker.add((nowMs) => {
    begunMs ??= nowMs
    if (nowMs - begunMs >= scenario.stop_after_ms) session.stop('api')
    session.tick(nowMs - begunMs)
  })
  const outcome = await session.done
  ticks.end()
  const wav = outcome.recorded ? await readFile(recordingPath(folder, sessionId)) : null
  return { outcome, notes, wav }
}

function planFor({ name, agent, to, sandbox }: Scenario): CallPlan {
  const config = AgentConfig.parse({
    agent_name: name,
    llm_agent: {},
    agent_welcome_message: agent.welcome,
    task_config: agent.task_config,
    transcriber: agent.transcriber,
    api_tools: { tools: [{ name: 'keys', key: 'send_dtmf' }], telephone: agent.telephone },
    call_transfer_config: { destinations: agent.destinations },
  })
  const call = { sessionId: name, workspaceId: 'w', agentId: 'a', to, from: null, provider: 'sandbox' }
  const given = { number: null, variables: { name: 'Ada' }, metadata: { sandbox } }
  return planOf(config, { ...call, ...given, callType: 'outbound' }, new Date())
}
