// Masks personal data in everything that a call reports and records. Only the model, the tools and the other side get
// the words as they were said.
import type { RateHz } from '../../media/frame.ts'
import { findPersonalData } from '../../platform/personal-data/find-personal-data.ts'
import { type PersonalDataKind, topics } from '../../platform/personal-data/kinds.ts'
import { maskText, maskValue, replaceFound } from '../../platform/personal-data/mask-text.ts'
import type { CallOutcome, CallUpdate, TimedPart, TranscriptEntry } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { CallParts } from '../call-parts.ts'
import { askedBefore, findInConversation } from './find-in-conversation.ts'
import { MaskedRecording } from './masked-recording.ts'

// A voice detector notices a voice a little after it began, and the line delays both sides.
const entryMarginMs = 400
const partMarginMs = 250
// Transcribers are off by about a tenth of a second.
const wordMarginMs = 150
// The parts of a number lie within this many entries.
const recentEntries = 12
// Reported in place of partial words that may become personal data.
const notYet = '…'

/** The masker of a call; undefined if nothing is to be masked. */
export const openMasking = ({ guardRails, resumed }: CallPlan): Masker | undefined =>
  guardRails.mask.length > 0 ? new Masker(guardRails.mask, resumed?.elapsedMs ?? 0) : undefined

export class Masker {
  readonly #kinds: readonly PersonalDataKind[]
  /** How much of the call another process has recorded. */
  readonly #elapsedMs: number
  #recent: TranscriptEntry[] = []
  #recording: MaskedRecording | undefined

  constructor(kinds: readonly PersonalDataKind[], elapsedMs: number) {
    this.#kinds = kinds
    this.#elapsedMs = elapsedMs
  }

  /** The parts of the call, with what they report and record masked. */
  partsOf(parts: CallParts): CallParts {
    const { recording, onUpdate } = parts
    return {
      ...parts,
      recording: recording && ((rateHz) => this.#record(recording, rateHz)),
      onUpdate: (update) => onUpdate(this.#update(update)),
    }
  }

  /** Masks the final entries, some of which were corrected after they had been reported. */
  transcript(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
    const found = findInConversation(entries, this.#kinds)
    this.#hide(entries, found)
    return entries.map((entry, place) => this.#entry(entry, found[place] ?? []))
  }

  outcome(outcome: CallOutcome): CallOutcome {
    const { errorMessage } = outcome
    return { ...outcome, errorMessage: errorMessage && maskText(errorMessage, this.#kinds) }
  }

  #record(open: NonNullable<CallParts['recording']>, rateHz: RateHz): MaskedRecording {
    this.#recording = new MaskedRecording(open(rateHz), rateHz)
    return this.#recording
  }

  #update(update: CallUpdate): CallUpdate {
    switch (update.type) {
      case 'partial':
        return { ...update, text: this.#partial(update.role, update.text) }
      case 'transcript':
        return { ...update, entry: this.#latest(update.entry) }
      case 'tool':
        return { ...update, detail: update.detail && this.#toolText(update.detail) }
      case 'variables':
        return {
          ...update,
          variables: maskValue(update.variables, this.#kinds) as Readonly<Record<string, string>>,
        }
      case 'note':
        return { ...update, note: maskText(update.note, this.#kinds) }
      // None of these updates contains anybody's words. An update type that is not listed does not compile.
      case 'status':
      case 'latency':
      case 'node':
      case 'late-sound':
        return update
    }
  }

  #partial(role: 'agent' | 'user', text: string): string {
    const asked = askedBefore(this.#recent, this.#recent.length)
    if (role === 'agent') return maskText(text, this.#kinds, { asked })
    const isAsked = this.#kinds.some((kind) => topics[kind].test(asked))
    const found = findPersonalData(text, this.#kinds, { asked, isSpeech: true, isOpen: true })
    return isAsked ? notYet : replaceFound(text, found)
  }

  #latest(entry: TranscriptEntry): TranscriptEntry {
    this.#recent = [...this.#recent.slice(1 - recentEntries), entry]
    const found = findInConversation(this.#recent, this.#kinds)
    this.#hide(this.#recent, found)
    return this.#entry(entry, found.at(-1) ?? [])
  }

  #entry(entry: TranscriptEntry, found: ReturnType<typeof findInConversation>[number]): TranscriptEntry {
    const { parts: _, ...masked } = entry
    if (entry.role !== 'tool') return { ...masked, content: replaceFound(entry.content, found) }
    const { tool } = entry
    return {
      ...masked,
      content: this.#toolText(entry.content),
      ...(tool && { tool: { ...tool, arguments: maskValue(tool.arguments, this.#kinds) } }),
    }
  }

  /** JSON is masked value by value: the names of its fields say what they hold. */
  #toolText(text: string): string {
    try {
      return JSON.stringify(maskValue(JSON.parse(text), this.#kinds))
    } catch {
      return maskText(text, this.#kinds)
    }
  }

  #hide(entries: readonly TranscriptEntry[], found: ReturnType<typeof findInConversation>): void {
    for (const [place, entry] of entries.entries())
      for (const { start, end } of found[place] ?? []) {
        const { fromMs, toMs } = spanOf(entry, start, end)
        this.#recording?.mask({
          side: entry.role === 'user' ? 'caller' : 'agent',
          fromMs: fromMs - this.#elapsedMs,
          toMs: toMs - this.#elapsedMs,
        })
      }
  }
}

/** The span of a stretch of an entry: by the parts whose times are known, otherwise the whole entry. */
function spanOf(entry: TranscriptEntry, start: number, end: number): { fromMs: number; toMs: number } {
  const said = partsWithin(entry, start, end)
  const first = said[0]
  const last = said.at(-1)
  const marginMs = entry.role === 'user' ? wordMarginMs : partMarginMs
  return first && last
    ? { fromMs: first.startSeconds * 1_000 - marginMs, toMs: last.endSeconds * 1_000 + marginMs }
    : { fromMs: entry.startSeconds * 1_000 - entryMarginMs, toMs: entry.endSeconds * 1_000 + entryMarginMs }
}

/** The parts that make up the text; empty if they do not. */
function partsWithin(
  { content, parts = [] }: TranscriptEntry,
  start: number,
  end: number,
): readonly TimedPart[] {
  const within: TimedPart[] = []
  let at = 0
  for (const part of parts) {
    const place = content.indexOf(part.text, at)
    // An interrupted sentence ends within a part.
    const isCut = place < 0 && part === parts.at(-1)
    if (place < 0 && !isCut) return []
    const from = isCut ? at : place
    const to = isCut ? content.length : place + part.text.length
    if (from < end && to > start) within.push(part)
    at = to
  }
  return within
}
