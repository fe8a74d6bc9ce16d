// The parts of a runtime that assembling a call needs: real vendors, and scripted engines in place of the offline
// ones.
import { createHash } from 'node:crypto'
import { AgentConfig } from '@parley/contract'
import type { NeededEngines } from '../../../src/engines/engines.ts'
import type { MediaRuntime } from '../../../src/main/media/media-runtime.ts'
import { frameMs } from '../../../src/media/frame.ts'
import { openTrustedConnections } from '../../../src/mind/model/choose-model.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { openGuard } from '../../../src/platform/guard/guard.ts'
import type { CallPlan } from '../../../src/ports/call-plan.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import type { Embedder } from '../../../src/ports/embedder.ts'
import { planOf } from '../../../src/resources/calls/plan/plan-call.ts'
import { Circuits } from '../../../src/speech/circuits.ts'
import { sttVendors, ttsVendors } from '../../../src/vendors/index.ts'
import { ScriptedVoice } from './scripted-synthesizer.ts'
import { ScriptedTranscriber } from './scripted-transcriber.ts'

/** A plan over the sandbox, in a workspace with these credentials; `more` is what else a claim has. */
export const planWith = (
  agent: object,
  accounts: CallPlan['accounts'],
  more: Partial<Parameters<typeof planOf>[1]> = {},
): CallPlan =>
  planOf(
    AgentConfig.parse({ agent_name: 'Test', llm_agent: {}, ...agent }),
    {
      sessionId: 's',
      workspaceId: 'w-1',
      agentId: 'a',
      batchId: null,
      callType: 'outbound',
      to: '+15550100',
      from: null,
      number: null,
      provider: 'sandbox',
      variables: {},
      metadata: null,
      accounts,
      ...more,
    },
    new Date(0),
  )

/** Texts are alike only if they are the same. */
const embedder: Embedder = {
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(256)
      vector[createHash('sha256').update(text).digest()[0] ?? 0] = 1
      return vector
    }),
}

export function openScriptedRuntime(env: Record<string, string> = {}) {
  const guard = openGuard({ allowPrivate: false, trustedHosts: ['127.0.0.1'] })
  const voice = new ScriptedVoice()
  const offline = { transcriber: new ScriptedTranscriber(), used: 'offline ears', languages: ['en'] }
  const loaded: NeededEngines[] = []
  const config = readConfig(env)
  const trusted = openTrustedConnections()
  const runtime = {
    config,
    guard,
    circuits: new Circuits(),
    accounts: config.vendorAccounts,
    trusted,
    operator: { server: undefined, keys: {} },
    vendors: { stt: sttVendors, tts: ttsVendors },
    ticker: {
      add(onTick: (dueMs: number) => void) {
        const timer = setInterval(() => onTick(performance.now()), frameMs)
        return { end: () => clearInterval(timer) }
      },
    },
    engines: {
      load: async (needed: NeededEngines) => void loaded.push(needed),
      transcriberFor: (_: unknown, asked: string | null) =>
        asked === 'whisper' ? { ...offline, used: 'offline whisper' } : offline,
      synthesizer: overClauses(voice, ['en']),
      voices: { engineFor: () => 'offline voice', pick: ({ voice: name = '' }) => `offline ${name}` },
      troubleWith: () => undefined,
      embedder,
    },
  } as unknown as MediaRuntime
  return {
    runtime,
    voice,
    ears: offline.transcriber,
    /** The engines that calls had loaded. */
    loaded,
    close: () => Promise.all([guard.close(), trusted.destroy()]),
  }
}
