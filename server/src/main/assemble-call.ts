// The engines of a call: those that its agent requests, or substitutes for them.
import { systemVariables } from '@parley/contract'
import { ambienceOf, chooseTrack } from '../adapters/ambience.ts'
import { chooseEngine, type EngineAnswer, noteOn } from '../adapters/choose-engines.ts'
import { isAnyLanguage } from '../adapters/language-code.ts'
import { embeddedReading, spokenWords, vendorReading } from '../adapters/spoken-words.ts'
import { languageOfText } from '../adapters/text-language.ts'
import { type McpTools, openMcpTools } from '../adapters/tools/mcp-tools.ts'
import { openToolBox } from '../adapters/tools/tool-box.ts'
import { openVariables } from '../call/call-variables.ts'
import type { CallParts } from '../call/session.ts'
import type { CallUpdate, EngineChoice } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { CallKnowledge } from '../ports/knowledge.ts'
import type { CallSpeechCache } from '../ports/speech-cache.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { VendorAccount } from '../ports/vendor.ts'
import { variableFiller } from '../resources/calls/plan/fill-variables.ts'
import { openRecording } from '../resources/calls/recording-file.ts'
import { assembleMind } from './assemble-mind.ts'
import type { MediaRuntime } from './media-runtime.ts'
import { traceHeaders } from './trace-headers.ts'

/** The agent requires an engine that is not available. */
export class EngineUnavailable extends Error {
  readonly choice: EngineChoice

  constructor(choice: EngineChoice) {
    super(choice.why ?? 'An engine is missing.')
    this.choice = choice
  }
}

export interface CallAssembly {
  readonly plan: CallPlan
  readonly connect: CallParts['connect']
  readonly runtime: MediaRuntime
  readonly onUpdate: (update: CallUpdate) => void
  /** Absent: agents look nothing up. */
  readonly knowledge?: CallKnowledge
  /** Absent: nothing is kept. */
  readonly speechCache?: CallSpeechCache
}

export function assembleCall(assembly: CallAssembly): CallParts {
  const { plan, connect, runtime, onUpdate } = assembly
  const { engines, guard } = runtime
  const note = (sentence: string) => onUpdate({ type: 'note', note: sentence })
  const speech = enginesFor(plan, runtime)
  const variables = variablesOf(plan, onUpdate)
  const { model, choice: mind } = assembleMind(plan, variables, runtime, note, assembly.knowledge)
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
    model,
    variables,
    tools: openToolBox(plan.tools, { guard, variables, mcp, headers: traceHeaders(plan, runtime) }),
    recording: plan.guardRails.records
      ? () => openRecording(runtime.recordingsFolder, plan.sessionId, plan.resumed?.elapsedMs)
      : undefined,
    ambience: ambience(plan.ambienceTrack, note),
    engines: choices,
    onUpdate,
    release: () => mcp?.close(),
  }
}

const variablesOf = ({ variables, fillsLate, resumed }: CallPlan, onUpdate: CallAssembly['onUpdate']) =>
  openVariables(variables, {
    reserved: systemVariables,
    saved: resumed?.variables,
    onSave: (saved) => onUpdate({ type: 'variables', variables: saved }),
    ...(fillsLate && { fill: (text, values) => variableFiller(values).fill(text) }),
  })

/** Connected while the telephone rings. */
const mcpToolsOf = (
  { mcpServers, variables }: CallPlan,
  { guard }: MediaRuntime,
  note: (sentence: string) => void,
): McpTools | undefined =>
  mcpServers.length > 0 ? openMcpTools(mcpServers, { guard, variables, note }) : undefined

interface ChosenEngines {
  readonly transcriber: Transcriber
  readonly synthesizer: Synthesizer
  readonly voice: string
  readonly voiceIn: CallParts['voiceIn']
  readonly choices: readonly EngineChoice[]
}

function enginesFor({ transcriber, synthesizer, turn }: CallPlan, runtime: MediaRuntime): ChosenEngines {
  const { engines, vendors, accounts, config } = runtime
  const fallback = config.engineFallback
  const offline = engines.transcriberFor(transcriber.language)
  const transcribes = chooseEngine({
    ...{ part: 'transcriber', asked: transcriber.asked, language: transcriber.language, fallback },
    ...{ vendors: vendors.stt, accounts: accounts.stt },
    embedded: offline,
  })
  const speaks = chooseEngine({
    ...{ part: 'synthesizer', asked: synthesizer.asked, language: synthesizer.language, fallback },
    ...{ vendors: vendors.tts, accounts: accounts.tts },
    embedded: {
      used: engines.voices.engineFor(synthesizer.language),
      languages: engines.synthesizer.abilities.languages,
    },
  })
  const refused = [transcribes, speaks].find(({ engine }) => engine.is === 'none')
  if (refused) throw new EngineUnavailable(refused.choice)
  mustHaveWeights('transcriber', transcribes, transcriber.language, engines)
  mustHaveWeights('synthesizer', speaks, synthesizer.language, engines)
  const voiceIn = (language: string | undefined) => engines.voices.pick({ ...synthesizer, language })
  const isAny = speaks.engine.is === 'embedded' && isAnyLanguage(synthesizer.language)
  return {
    transcriber: opened(transcribes, vendors.stt, accounts.stt) ?? offline.transcriber,
    synthesizer: openedVoice(speaks, runtime),
    voice:
      speaks.engine.is === 'vendor'
        ? (synthesizer.voice ?? '')
        : // Nothing has been heard when the greeting is spoken, so its own words decide.
          voiceIn(isAny ? languageOfText(turn.sayings.greeting) : synthesizer.language),
    voiceIn: isAny ? voiceIn : undefined,
    choices: [transcribes.choice, speaks.choice],
  }
}

/** Weights of other languages are fetched when they are first asked for, which takes longer than a caller waits. */
function mustHaveWeights(
  part: 'transcriber' | 'synthesizer',
  { engine, choice }: EngineAnswer,
  language: string | undefined,
  engines: MediaRuntime['engines'],
): void {
  const why = engine.is === 'embedded' ? engines.troubleWith(part, language) : undefined
  if (why) throw new EngineUnavailable({ ...choice, used: 'none', why })
}

type Openable<Engine> = { readonly open?: ((account: VendorAccount) => Engine) | undefined }

function opened<Engine>(
  { engine }: EngineAnswer,
  vendors: Readonly<Record<string, Openable<Engine>>>,
  accounts: Readonly<Record<string, VendorAccount>>,
): Engine | undefined {
  if (engine.is !== 'vendor') return undefined
  return vendors[engine.name]?.open?.(accounts[engine.name] ?? { credentials: {} })
}

/** With what it needs to say names and figures as people do. */
function openedVoice(speaks: EngineAnswer, { vendors, accounts, engines }: MediaRuntime): Synthesizer {
  const own = opened(speaks, vendors.tts, accounts.tts)
  const vendor = speaks.engine.is === 'vendor' ? vendors.tts[speaks.engine.name] : undefined
  return own && vendor
    ? spokenWords(own, vendorReading(vendor))
    : spokenWords(engines.synthesizer, embeddedReading)
}

function ambience(wanted: string | null, note: (sentence: string) => void): CallParts['ambience'] {
  if (wanted === null) return undefined
  const { track, why } = chooseTrack(wanted)
  if (why) note(why)
  return ambienceOf(track)
}
