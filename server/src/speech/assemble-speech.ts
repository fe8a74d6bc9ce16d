// Assembles what listens and speaks in a call: the vendors that its agent names, with the engines that stand in for
// them when they fail.

import type { CallParts } from '../call/session.ts'
import { clausesOf } from '../call/think/clauses.ts'
import type { NeededEngines } from '../engines/engines.ts'
import { isAnyLanguage } from '../engines/language-code.ts'
import type { EngineChoice } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { OptionProblem } from '../ports/own-options.ts'
import type { CallSpeechCache } from '../ports/speech-cache.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { Transcriber, TranscriberOptions } from '../ports/transcriber.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { cachedVoice } from './cache/cached-voice.ts'
import { keptSentencesOf, type SpeakingVendor } from './cache/kept-sentences.ts'
import { chooseEngine, type EngineAnswer, type EngineQuestion, usableVendors } from './choose-engines.ts'
import { gatheredText } from './gathered-text.ts'
import { meteredSynthesizer, meteredTranscriber, SpeechMeter } from './metered-speech.ts'
import { offlineOwner, readOwnOptions } from './own-options.ts'
import { type ListeningEngine, reopening } from './reopening.ts'
import { failingOver } from './speaking-engines.ts'
import type { SpeakingEngine } from './speaking-order.ts'
import type { SpeechParts } from './speech-parts.ts'
import { embeddedReading, spokenWords, vendorReading } from './spoken-words.ts'
import { languageOfText } from './text-language.ts'
import { unmetOfSynthesizer, unmetOfTranscriber } from './unmet-settings.ts'
import { vendorAccounts } from './vendor-accounts.ts'
import { genderOfVoice } from './voice-genders.ts'

/** Thrown when the agent requires an engine that is not available. */
export class EngineUnavailable extends Error {
  readonly choice: EngineChoice

  constructor(choice: EngineChoice) {
    super(choice.why ?? 'An engine is missing.')
    this.choice = choice
  }
}

type Note = (sentence: string) => void

export interface AssembledSpeech
  extends Pick<CallParts, 'transcriber' | 'synthesizer' | 'voice' | 'voiceIn'> {
  readonly choices: readonly EngineChoice[]
  /** The offline engines that the call begins with. */
  readonly needs: NeededEngines
  /** Releases what the call held, at its end. */
  close(): void
}

/** `note` is for the call record. */
export function assembleSpeech(
  plan: CallPlan,
  runtime: SpeechParts,
  note: Note,
  meter: SpeechMeter = new SpeechMeter(),
  speechCache?: CallSpeechCache,
): AssembledSpeech {
  const { engines } = runtime
  const { transcriber: hearsIn, synthesizer: speaksIn } = plan
  const hears = questionOf('stt', plan, runtime, engines.transcriberFor(hearsIn.language, hearsIn.asked))
  const speaks = questionOf('tts', plan, runtime, {
    used: engines.voices.engineFor(speaksIn.language),
    languages: engines.synthesizer.abilities.languages,
  })
  const listening = chooseEngine(hears)
  const speaking = chooseEngine(speaks)
  const refused = [listening, speaking].find(({ engine }) => engine.is === 'none')
  if (refused) throw new EngineUnavailable(refused.choice)
  mustHaveWeights('transcriber', listening, plan.transcriber.language, runtime)
  mustHaveWeights('synthesizer', speaking, plan.synthesizer.language, runtime)
  const voices = voicesOf(plan, runtime, speaking)
  const transcriber = transcriberOf(plan, runtime, { question: hears, answer: listening, meter }, note)
  const synthesizer = synthesizerOf(
    plan,
    runtime,
    { question: speaks, answer: speaking, meter, speechCache },
    note,
  )
  return {
    transcriber,
    synthesizer,
    ...voices,
    choices: [listening.choice, speaking.choice],
    needs: {
      transcriber:
        listening.engine.is === 'embedded'
          ? engines.transcriberFor(hearsIn.language, hearsIn.asked).transcriber
          : undefined,
      voice: speaking.engine.is === 'embedded' ? voices.voice : undefined,
    },
    close() {
      if (listening.engine.is === 'vendor') transcriber.close?.()
      if (speaking.engine.is === 'vendor') synthesizer.close?.()
    },
  }
}

const circuitOf = ({ workspaceId }: CallPlan, part: 'stt' | 'tts', vendor: string) =>
  `${workspaceId}/${part}/${vendor}`

function questionOf(
  kind: 'stt' | 'tts',
  plan: CallPlan,
  runtime: SpeechParts,
  embedded: EngineQuestion['embedded'],
): EngineQuestion {
  const { asked, language, fallbacks } = kind === 'stt' ? plan.transcriber : plan.synthesizer
  const { circuits, config } = runtime
  const vendors = runtime.vendors[kind]
  return {
    part: kind === 'stt' ? 'transcriber' : 'synthesizer',
    asked,
    language,
    fallback: config.engineFallback,
    vendors,
    accounts: vendorAccounts(plan, runtime, vendors, kind === 'stt' ? 'transcriber' : 'synthesizer'),
    fallbacks: fallbacks.map(({ vendor }) => vendor),
    faultOf: (vendor) => circuits.faultOf(circuitOf(plan, kind, vendor)),
    embedded,
  }
}

interface ChosenEngine {
  readonly question: EngineQuestion
  readonly answer: EngineAnswer
  /** The store of kept speech, for a synthesizer; undefined: nothing is kept. */
  readonly speechCache?: CallSpeechCache | undefined
  readonly meter: SpeechMeter
}

/** The vendors to try: the chosen one, then the others that the agent names. */
const lineOf = ({ question, answer }: ChosenEngine): readonly string[] =>
  answer.engine.is === 'vendor' ? [...new Set([answer.engine.name, ...usableVendors(question)])] : []

/** What the agent asks of this vendor: as the one that it names, or as one that stands in. */
const wishFor = <
  Fallback extends { readonly vendor: string },
  Wish extends { readonly asked: string | null },
>(
  vendor: string,
  wish: Wish & { readonly fallbacks: readonly Fallback[] },
): Wish | Fallback =>
  vendor === wish.asked ? wish : (wish.fallbacks.find((one) => one.vendor === vendor) ?? wish)

function transcriberOf(
  plan: CallPlan,
  { engines, vendors, circuits, config }: SpeechParts,
  chosen: ChosenEngine,
  note: Note,
): Transcriber {
  const own = engines.transcriberFor(plan.transcriber.language, plan.transcriber.asked)
  const offline = meteredTranscriber(own.transcriber, own.used, chosen.meter)
  const waiting = lineOf(chosen).flatMap((name): (ListeningEngine & { vendor?: string })[] => {
    const vendor = vendors.stt[name]
    const account = chosen.question.accounts[name]
    if (!vendor || !account) return []
    const wish = wishFor(name, plan.transcriber)
    const { own, problems } = readOwnOptions('transcriber', vendor, wish.providerConfig, wish)
    const transcriber = withOptions(vendor.open(account), { model: wish.model, own })
    return [
      {
        label: vendor.label,
        vendor: name,
        streaming: vendor.abilities.streaming,
        unmet: notes(unmetOfTranscriber(vendor, { ...plan.transcriber, model: wish.model }), problems),
        transcriber: meteredTranscriber(transcriber, name, chosen.meter),
      },
    ]
  })
  const [first] = waiting
  if (!first?.vendor) return offline
  if (first.unmet) note(first.unmet)
  if (config.engineFallback === 'embedded')
    // The offline recognizer is late on a crowded machine, which is no reason to do without it.
    waiting.push({ label: 'The offline recognizer', streaming: false, transcriber: openOnly(offline) })
  let current = waiting.shift() as (typeof waiting)[number]
  return reopening(current, {
    onNote: note,
    onHeard() {
      if (current.vendor) circuits.succeed(circuitOf(plan, 'stt', current.vendor))
    },
    next(error) {
      if (current.vendor) circuits.fail(circuitOf(plan, 'stt', current.vendor), error.message)
      const next = waiting.shift()
      if (next) current = next
      return next
    },
  })
}

/** Opens a transcriber with what is its own: a vendor that stands in is not asked for the model of another. */
const withOptions = (
  transcriber: Transcriber,
  ownOptions: Pick<TranscriberOptions, 'model' | 'own'>,
): Transcriber => ({
  abilities: transcriber.abilities,
  detectsTurns: (options) => transcriber.detectsTurns?.({ ...options, ...ownOptions }),
  open: (options, signal) => transcriber.open({ ...options, ...ownOptions }, signal),
  warm: async (options, signal) => transcriber.warm?.({ ...options, ...ownOptions }, signal),
  close: () => transcriber.close?.(),
})

const notes = (unmet: string | undefined, problems: readonly OptionProblem[]): string | undefined =>
  [...(unmet === undefined ? [] : [unmet]), ...problems.map(({ message }) => message)].join(' ') || undefined

function synthesizerOf(plan: CallPlan, runtime: SpeechParts, chosen: ChosenEngine, note: Note): Synthesizer {
  const { engines, vendors, circuits, config } = runtime
  const { language, options: asked } = plan.synthesizer
  // Each voice gets what it needs to say names and figures as people do.
  const used = engines.voices.engineFor(language)
  const embedded = spokenWords(meteredSynthesizer(engines.synthesizer, used, chosen.meter), embeddedReading)
  const named = lineOf(chosen).flatMap((name): SpeakingEngine[] => {
    const vendor = vendors.tts[name]
    const account = chosen.question.accounts[name]
    if (!vendor || !account) return []
    const wish = wishFor(name, plan.synthesizer)
    const { own, problems } = readOwnOptions('synthesizer', vendor, wish.providerConfig, wish)
    const options = { voice: wish.voice ?? '', voiceId: wish.voiceId, model: wish.model, own }
    const live = spokenWords(
      meteredSynthesizer(gatheredText(vendor.open(account), asked.bufferSize), name, chosen.meter),
      vendorReading(vendor),
    )
    const speaking = withKept(live, plan, { name, baseUrl: account.baseUrl, own }, chosen.speechCache)
    const asWished = { ...plan.synthesizer, voice: wish.voice, voiceId: wish.voiceId, model: wish.model }
    const unmet = notes(unmetOfSynthesizer(vendor, asWished), problems)
    const patienceMs = patienceWith(vendor)
    return [{ label: vendor.label, vendor: name, synthesizer: speaking, options, patienceMs, unmet }]
  })
  const [first] = named
  if (!first?.vendor) {
    if (plan.synthesizer.asked === null) noteOfflineOptions(plan, note)
    return embedded
  }
  if (first.unmet) note(first.unmet)
  const offline: SpeakingEngine = {
    label: 'The offline voice',
    synthesizer: openOnly(embedded),
    options: {
      voice: offlineVoice(plan, runtime, language),
      voiceId: undefined,
      model: undefined,
      own: undefined,
    },
    patienceMs: undefined,
  }
  const circuit = ({ vendor }: SpeakingEngine) =>
    vendor === undefined ? undefined : circuitOf(plan, 'tts', vendor)
  return failingOver([first, ...named.slice(1), ...(config.engineFallback === 'embedded' ? [offline] : [])], {
    onNote: note,
    onFailed(engine, error) {
      const name = circuit(engine)
      if (name) circuits.fail(name, error.message)
    },
    onSpoke(engine) {
      const name = circuit(engine)
      if (name) circuits.succeed(name)
    },
  })
}

// Over a connection that is open, vendors need 0.1 to 0.8 s for their first sound; a request for each clause takes longer,
// and longest with the first one. What comes after this is worse for a caller than another voice.
const usualPatienceMs = { stream: 2_000, request: 3_000 }

const patienceWith = ({ abilities: { patienceMs, streaming } }: TtsVendor): number =>
  patienceMs ?? usualPatienceMs[streaming ? 'stream' : 'request']

function noteOfflineOptions({ synthesizer }: CallPlan, note: Note): void {
  const { problems } = readOwnOptions(
    'synthesizer',
    offlineOwner('synthesizer'),
    synthesizer.providerConfig,
    {},
  )
  const sentences = notes(undefined, problems)
  if (sentences) note(sentences)
}

/**
 * Plays kept sentences, which are in the voice that the agent asks for; a vendor that stands in has spoken none of
 * them.
 */
const withKept = (
  live: Synthesizer,
  plan: CallPlan,
  vendor: SpeakingVendor,
  cache: CallSpeechCache | undefined,
): Synthesizer =>
  cache && vendor.name === plan.synthesizer.asked && plan.synthesizer.keptSentences.length > 0
    ? cachedVoice(live, keptSentencesOf(plan, vendor, cache, clausesOf))
    : live

/** An engine without its `close`: the offline engines are shared by all calls, and none of them closes them. */
const openOnly = <Abilities, Options, Stream>(engine: {
  readonly abilities: Abilities
  open(options: Options, signal: AbortSignal): Stream
}) => ({
  abilities: engine.abilities,
  open: (options: Options, signal: AbortSignal) => engine.open(options, signal),
})

/** The offline voice of the same gender, where the name of the vendor's voice tells it. */
function offlineVoice(
  { synthesizer }: CallPlan,
  { engines }: SpeechParts,
  language: string | undefined,
): string {
  const { voice, voiceId } = synthesizer
  const gender = genderOfVoice(voice) ?? genderOfVoice(voiceId)
  return engines.voices.pick({ voice: gender ?? voice, voiceId, language })
}

function voicesOf(
  plan: CallPlan,
  runtime: SpeechParts,
  { engine }: EngineAnswer,
): Pick<CallParts, 'voice' | 'voiceIn'> {
  const { synthesizer, turn } = plan
  if (engine.is === 'vendor') return { voice: synthesizer.voice ?? '', voiceIn: undefined }
  const voiceIn = (language: string | undefined) => offlineVoice(plan, runtime, language)
  const isAny = isAnyLanguage(synthesizer.language)
  return {
    // Nothing has been heard when the greeting is spoken, so its own words decide.
    voice: voiceIn(isAny ? languageOfText(turn.sayings.greeting) : synthesizer.language),
    voiceIn: isAny ? voiceIn : undefined,
  }
}

/**
 * Throws if the weights of the language are missing: they are fetched when they are first asked for, which takes
 * longer than a caller waits.
 */
function mustHaveWeights(
  part: 'transcriber' | 'synthesizer',
  { engine, choice }: EngineAnswer,
  language: string | undefined,
  { engines }: SpeechParts,
): void {
  const why = engine.is === 'embedded' ? engines.troubleWith(part, language) : undefined
  if (why) throw new EngineUnavailable({ ...choice, used: 'none', why })
}
