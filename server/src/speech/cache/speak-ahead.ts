// Has the sentences of an agent spoken ahead by the vendor, and with the account, that its calls would use.
import { clausesOf } from '../../call/think/clauses.ts'
import { frameMs, samplesPerFrame } from '../../media/frame.ts'
import type { Config } from '../../platform/config.ts'
import { openUserGuard } from '../../platform/guard/guard.ts'
import type { CallPlan, SynthesizerPlan } from '../../ports/call-plan.ts'
import type { SpokenWord, Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { ttsVendors } from '../../vendors/index.ts'
import { readOwnOptions } from '../own-options.ts'
import { spokenWords, vendorReading } from '../spoken-words.ts'
import { vendorAccounts } from '../vendor-accounts.ts'
import { type CutClauses, spokenPieces, voiceOptions } from './kept-sentences.ts'
import { cachedSpeechKey, encodeSpeech, keptRateHz } from './speech-file.ts'

export interface SpeechAhead extends Pick<SpeechToKeep, 'known' | 'put'> {
  readonly plan: SynthesizerPlan
  /** Those of its workspace. */
  readonly accounts: CallPlan['accounts']
}

export interface AheadSpeaker {
  /** Nothing is spoken for an agent whose voice is no vendor's. */
  speak(speech: SpeechAhead, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function openAheadSpeaker(
  config: Pick<Config, 'vendorAccounts' | 'trustedHosts'>,
  vendors: Readonly<Record<string, TtsVendor>> = ttsVendors,
): AheadSpeaker {
  const guard = openUserGuard(config)
  return {
    async speak({ plan, accounts, known, put }, signal) {
      const asked = plan.asked ?? ''
      const vendor = vendors[asked]
      const account = vendorAccounts(
        { accounts },
        { accounts: config.vendorAccounts, guard },
        vendors,
        'synthesizer',
      )[asked]
      if (vendor && account)
        await keepSentences({ plan, vendor, account, cut: clausesOf, known, put }, signal)
    },
    close: () => guard.close(),
  }
}

// Nobody waits for this speech, but a vendor that says nothing for so long has failed.
const patienceMs = 30_000

interface SpeechToKeep {
  readonly plan: SynthesizerPlan
  readonly vendor: TtsVendor
  readonly account: VendorAccount
  readonly cut: CutClauses
  /** Returns those of the keys whose speech is kept already. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>
  put(key: string, file: Buffer): Promise<void>
}

/** Speaks the greeting first, and one sentence after the other: calls want the vendor too. */
async function keepSentences(
  { plan, vendor, account, cut, known, put }: SpeechToKeep,
  signal: AbortSignal,
): Promise<void> {
  const { own } = readOwnOptions('synthesizer', vendor, plan.providerConfig, plan)
  const options = voiceOptions(plan, own)
  const source = { vendor: plan.asked ?? '', baseUrl: account.baseUrl, options }
  const pieces = new Map(
    spokenPieces(plan.keptSentences, cut).map((piece) => [cachedSpeechKey(source, piece), piece]),
  )
  const kept = await known([...pieces.keys()])
  if (kept.size >= pieces.size) return
  const live = vendor.open(account)
  const engine = spokenWords(live, vendorReading(vendor))
  try {
    for (const [key, piece] of pieces)
      if (!kept.has(key)) await put(key, await speakToKeep(engine, piece, options, signal))
  } finally {
    live.close?.()
  }
}

/** Makes a file of kept speech. Throws one sentence if the vendor fails, or says nothing. */
async function speakToKeep(
  engine: Synthesizer,
  clause: string,
  options: Omit<SynthesizerOptions, 'rateHz'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const stream = engine.open({ ...options, rateHz: keptRateHz }, limit)
  stream.write(clause)
  stream.flush()
  stream.finish()
  const frames: Int16Array[] = []
  const words: SpokenWord[] = []
  for await (const event of stream)
    if (event.type === 'frame') frames.push(event.frame.samples)
    else if (event.type === 'words') words.push(...event.words)
  // A stream that is aborted ends without an error, so what has come may be half of the sentence.
  if (limit.aborted) throw new Error(`The voice did not come within ${patienceMs / 1000} seconds.`)
  if (frames.length === 0) throw new Error('The voice made no sound.')
  const samples = new Int16Array(frames.length * samplesPerFrame(keptRateHz))
  for (const [place, frame] of frames.entries()) samples.set(frame, place * frame.length)
  return encodeSpeech({ samples, words: words.filter(({ startMs }) => startMs < frames.length * frameMs) })
}
