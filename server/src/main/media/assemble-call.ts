// The engines of a call: those that its agent requests, or substitutes for them.
import { systemVariables } from '@parley/contract'
import { openVariables } from '../../call/call-variables.ts'
import type { CallParts } from '../../call/session.ts'
import type { NeededEngines } from '../../engines/engines.ts'
import { assembleMind } from '../../mind/assemble-mind.ts'
import { type ChosenRealtime, chooseRealtime } from '../../mind/model/choose-realtime.ts'
import { type McpTools, openMcpTools } from '../../mind/tools/mcp-tools.ts'
import { openToolBox } from '../../mind/tools/tool-box.ts'
import { waitOnTicks } from '../../platform/clock/ticker.ts'
import { traceHeaders } from '../../platform/telemetry/trace-context.ts'
import type { CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { CallKnowledge } from '../../ports/knowledge.ts'
import type { CallSpeechCache } from '../../ports/speech-cache.ts'
import { openRecording, variableFiller } from '../../resources/calls/without-database.ts'
import { ambienceOfCall } from '../../speech/ambience.ts'
import { type AssembledSpeech, assembleSpeech } from '../../speech/assemble-speech.ts'
import { noteOn } from '../../speech/choose-engines.ts'
import { SpeechMeter } from '../../speech/metered-speech.ts'
import { withWorkspaceKey, withWorkspaceKeys } from '../../speech/vendor-accounts.ts'
import type { MediaRuntime } from './media-runtime.ts'

export interface CallAssembly {
  readonly plan: CallPlan
  readonly connect: CallParts['connect']
  readonly runtime: MediaRuntime
  readonly onUpdate: (update: CallUpdate) => void
  /** Without it agents look nothing up. */
  readonly knowledge?: CallKnowledge
  /** Without it no speech is kept. */
  readonly speechCache?: CallSpeechCache
}

export function assembleCall(assembly: CallAssembly): CallParts {
  const { plan, connect, runtime, onUpdate } = assembly
  const { engines, guard } = runtime
  const note = (sentence: string) => onUpdate({ type: 'note', note: sentence })
  const meter = new SpeechMeter()
  const openSpeech = (of: CallPlan) => assembleSpeech(of, runtime, note, meter, assembly.speechCache)
  const realtime = realtimeOf(plan, runtime, note, openSpeech)
  const speech = realtime ?? openSpeech(plan)
  const isLoaded = whenDone(engines.load('needs' in speech ? speech.needs : noEngines))
  const variables = variablesOf(plan, onUpdate)
  const { model, choice: mind } = assembleMind(
    plan,
    variables,
    runtime,
    note,
    assembly.knowledge,
    realtime?.chosen,
  )
  const choices = [...speech.choices, mind]
  for (const sentence of choices.map(noteOn)) if (sentence) note(sentence)

  const mcp = mcpToolsOf(plan, runtime, note)
  return {
    connect,
    transcriber: speech.transcriber,
    synthesizer: speech.synthesizer,
    voice: speech.voice,
    voiceIn: speech.voiceIn,
    detector: engines.detector,
    isLoaded,
    model,
    variables,
    tools: openToolBox(plan.tools, { guard, variables, mcp, headers: traceHeaders(plan, runtime) }),
    recording: plan.guardRails.records
      ? () => openRecording(runtime.recordingsFolder, plan.sessionId, plan.resumed?.elapsedMs)
      : undefined,
    ambience: ambienceOfCall(plan.ambienceTrack, note),
    engines: choices,
    speechUsage: () => meter.rows,
    onUpdate,
    release() {
      mcp?.close()
      speech.close()
    },
  }
}

/** A mind that hears and speaks itself needs the voice detector only. */
const noEngines: NeededEngines = { transcriber: undefined, voice: undefined }

function whenDone(work: Promise<void>): () => boolean {
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  return () => isDone
}

function realtimeOf(
  plan: CallPlan,
  runtime: MediaRuntime,
  note: (sentence: string) => void,
  openSpeech: (plan: CallPlan) => AssembledSpeech,
): ChosenRealtime | undefined {
  const { dialogue } = plan
  if (!dialogue.model.hearsItself) return undefined
  const { fallback } = withWorkspaceKeys(dialogue.model, plan.accounts, 'language_model')
  const model = { ...withWorkspaceKey(dialogue.model, plan.accounts, 'realtime'), fallback }
  const withKey = { ...plan, dialogue: { ...dialogue, model } }
  const { operator, guard, trusted } = runtime
  const headers = traceHeaders(plan, runtime)
  const wait = waitOnTicks(runtime.ticker)
  return chooseRealtime(withKey, { operator, guard, trusted, headers, note, wait, openSpeech })
}

const variablesOf = ({ variables, fillsLate, resumed }: CallPlan, onUpdate: CallAssembly['onUpdate']) =>
  openVariables(variables, {
    reserved: systemVariables,
    saved: resumed?.variables,
    onSave: (saved) => onUpdate({ type: 'variables', variables: saved }),
    ...(fillsLate && { fill: (text, values) => variableFiller(values).fill(text) }),
  })

/** The servers are connected to while the telephone rings. */
const mcpToolsOf = (
  plan: CallPlan,
  runtime: MediaRuntime,
  note: (sentence: string) => void,
): McpTools | undefined => {
  const { mcpServers, variables } = plan
  if (mcpServers.length === 0) return undefined
  const headers = traceHeaders(plan, runtime)
  return openMcpTools(mcpServers, { guard: runtime.guard, variables, headers, note })
}
