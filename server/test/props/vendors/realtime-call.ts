// A whole call with a realtime model over a real socket, as an agent's settings choose it, and with what takes over from it.
import { AgentConfig } from '@parley/contract'
import { Agent } from 'undici'
import { chooseRealtime } from '../../../src/mind/model/choose-realtime.ts'
import { openGuard } from '../../../src/platform/guard/guard.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { planOf } from '../../../src/resources/calls/plan/plan-call.ts'
import { rehearse, type Scene } from '../call/rehearsal.ts'
import { ScriptedTools } from '../call/scripted-model.ts'
import { ScriptedTranscriber } from '../call/scripted-transcriber.ts'
import { WordVoice } from './realtime-sound.ts'
import { heardWords } from './spoken-words.ts'

export interface RealtimeScene {
  readonly llmConfig: Record<string, unknown>
  readonly agent?: Scene['agent']
  readonly welcome?: string | undefined
  readonly tools?: ScriptedTools | undefined
  readonly parts?: Scene['parts']
}

// Not faked, whatever a test makes of time.
const realTimeout = globalThis.setTimeout
const pause = (ms: number) => new Promise<void>((done) => void realTimeout(done, ms))

const callee = {
  sessionId: 's',
  workspaceId: 'w',
  agentId: 'a',
  to: '+15550100',
  from: null,
  provider: null,
  number: null,
  variables: {},
  metadata: null,
  callType: 'outbound',
} as const

export function realtimeCall({ llmConfig, agent = {}, welcome = '', tools, parts }: RealtimeScene) {
  const config = AgentConfig.parse({
    agent_name: 'Ada',
    ...agent,
    llm_agent: { llm_config: { api_key: 'good', ...llmConfig } },
  })
  const notes: string[] = []
  const transcriber = new ScriptedTranscriber()
  const voice = new WordVoice()
  const trusted = new Agent()
  const chosen = chooseRealtime(planOf(config, callee, new Date('2030-01-01T09:00:00Z')), {
    operator: { server: undefined, keys: {} },
    trusted,
    guard: openGuard({ allowPrivate: true, trustedHosts: [] }),
    note: (sentence) => notes.push(sentence),
    wait: () => Promise.resolve(),
    openSpeech: () => ({
      transcriber,
      close() {},
      voice: 'beside',
      synthesizer: overClauses(voice, 'any'),
      choices: [{ part: 'transcriber', asked: null, used: 'moonshine', why: null }],
    }),
  })
  if (!chosen) throw new Error(notes.join(' '))
  const call = rehearse({
    agent: { agent_welcome_message: welcome, agent_prompt: 'You are Ada.' },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0 },
    tools: tools ?? new ScriptedTools(),
    parts: {
      transcriber: chosen.transcriber,
      synthesizer: chosen.synthesizer,
      model: chosen.chosen.model,
      ...parts,
    },
  })
  const step = async () => {
    await call.tick()
    await pause(1)
  }
  const until = async (condition: () => boolean, mostTicks = 20_000) => {
    for (let n = 0; n < mostTicks && !condition(); n++) await step()
    if (!condition())
      throw new Error(`it did not happen: ${condition}; ${notes.concat(call.notes()).join(' | ')}`)
  }
  return {
    call,
    chosen,
    transcriber,
    voice,
    step,
    until,
    notes: () => [...notes, ...call.notes()],
    heard: () => heardWords(call.line.sent),
    async close() {
      call.session.stop('api')
      await until(() => call.isOver)
      chosen.close()
      await trusted.close()
    },
  }
}
