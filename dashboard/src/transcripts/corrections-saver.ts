// Saves corrections while they are typed, one request at a time. They are joined with what others have saved meanwhile; where
// both have changed the same thing, saving waits until the user has chosen.
import type { Corrections, NewCorrections } from '@parley/contract'
import { Refusal } from '../api.ts'
import {
  type Clash,
  clashesOf,
  type Draft,
  type Edits,
  editsOf,
  isSame,
  rebased,
  settled,
  writtenOf,
} from './edits.ts'

export interface SaverParts {
  /** The corrections that the server had when the page was opened. */
  readonly stored: Corrections
  /** The draft of an earlier visit, if that was not saved. */
  readonly draft: Draft | undefined
  tidy(edits: Edits): Edits
  save(body: NewCorrections): Promise<Corrections>
  load(): Promise<Corrections>
  /** Keeps a draft that is not saved yet. Undefined: everything is saved. */
  keep(draft: Draft | undefined): void
  /** Whether it makes sense to ask the server by itself. */
  isOnline(): boolean
  readonly delayMs?: number
  readonly retryMs?: number
}

export interface SaveState {
  /** The corrections as they are shown, saved or not. */
  readonly edits: Edits
  readonly stored: Corrections
  readonly status: 'saved' | 'saving' | 'failed' | 'clashing'
  readonly error: Error | undefined
  readonly clashes: readonly Clash[]
}

// A pause in typing of this length starts a request.
const usualDelayMs = 700
const firstRetryMs = 2_000
const longestRetryMs = 30_000

export class CorrectionsSaver {
  readonly #parts: SaverParts
  #stored: Corrections
  #theirs: Edits
  #draft: Draft
  /** Requests that got no answer, so that it is not known whether they were saved. */
  #unanswered: Edits[] = []
  #error: Error | undefined
  #failures = 0
  #isSaving = false
  #isClosed = false
  #isKept: boolean
  #timer: ReturnType<typeof setTimeout> | undefined
  #snapshot: SaveState
  readonly #listeners = new Set<() => void>()

  constructor(parts: SaverParts) {
    this.#parts = parts
    this.#stored = parts.stored
    this.#theirs = parts.tidy(editsOf(parts.stored))
    this.#draft = parts.draft ?? { base: this.#theirs, mine: this.#theirs }
    this.#isKept = parts.draft !== undefined
    this.#rebase()
    this.#snapshot = this.#now()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): SaveState => this.#snapshot

  open(): void {
    this.#isClosed = false
    this.#saveIn(0)
    this.#changed()
  }

  /** Sends unsaved corrections at once, and does not try again. */
  close(): void {
    this.#isClosed = true
    this.flush()
  }

  flush(): void {
    this.#cancel()
    void this.#save()
  }

  edit(mine: Edits): void {
    this.#draft = { ...this.#draft, mine }
    // The user may have settled a clash by typing.
    this.#rebase()
    this.#error = undefined
    this.#saveIn(this.#parts.delayMs ?? usualDelayMs)
    this.#changed()
  }

  /** Takes over corrections that were made without knowing the saved ones. */
  bring(edits: Edits): void {
    const { base, mine } = this.#draft
    const without = (all: Edits['names'], brought: Edits['names']) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => brought[key] === undefined))
    this.#draft = {
      base: { names: without(base.names, edits.names), texts: without(base.texts, edits.texts) },
      mine: { names: { ...mine.names, ...edits.names }, texts: { ...mine.texts, ...edits.texts } },
    }
    this.#rebase()
    this.#saveIn(0)
    this.#changed()
  }

  /** Takes the corrections that the server has by now. */
  take(stored: Corrections): void {
    // The answer to the request under way will bring them.
    if (this.#isSaving || stored.version <= this.#stored.version) return
    this.#adopt(stored)
    this.#saveIn(0)
    this.#changed()
  }

  settle(clash: Clash, whose: 'mine' | 'theirs'): void {
    this.#draft = settled(this.#draft, clash, whose)
    this.#saveIn(0)
    this.#changed()
  }

  #adopt(stored: Corrections): void {
    this.#stored = stored
    this.#theirs = this.#parts.tidy(editsOf(stored))
    this.#rebase()
  }

  #rebase(): void {
    const { tidy } = this.#parts
    this.#draft = rebased({ ...this.#draft, theirs: this.#theirs, sent: this.#unanswered, tidy })
  }

  get #isUnsaved(): boolean {
    return !isSame(this.#parts.tidy(this.#draft.mine), this.#theirs)
  }

  get #clashes(): Clash[] {
    return clashesOf(this.#draft, this.#theirs)
  }

  #now(): SaveState {
    const clashes = this.#clashes
    const settling = this.#isSaving || this.#isUnsaved ? 'saving' : 'saved'
    return {
      edits: this.#draft.mine,
      stored: this.#stored,
      error: this.#error,
      clashes,
      status: clashes.length > 0 ? 'clashing' : this.#error ? 'failed' : settling,
    }
  }

  #changed(): void {
    this.#keep()
    this.#snapshot = this.#now()
    for (const listener of this.#listeners) listener()
  }

  /** Keeps the draft while it is unsaved. Until this tab has kept one, it does not touch what another tab keeps. */
  #keep(): void {
    const isOpen = this.#isUnsaved || this.#clashes.length > 0
    if (isOpen || this.#isKept) this.#parts.keep(isOpen ? this.#draft : undefined)
    this.#isKept = isOpen
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #saveIn(ms: number): void {
    this.#cancel()
    if (this.#isClosed) void this.#save()
    else this.#timer = setTimeout(() => void this.#save(), ms)
  }

  async #save(): Promise<void> {
    if (this.#isSaving || !this.#isUnsaved || this.#clashes.length > 0) return
    this.#isSaving = true
    this.#error = undefined
    this.#changed()
    const error = await this.#send().catch((reason: Error) => reason)
    this.#isSaving = false
    this.#error = error
    this.#failures = error ? this.#failures + 1 : 0
    if (!error) this.#saveIn(0)
    else if (!this.#isClosed && mayPass(error) && this.#parts.isOnline()) this.#saveIn(this.#retryMs)
    this.#changed()
  }

  async #send(): Promise<undefined> {
    const sent = this.#parts.tidy(this.#draft.mine)
    try {
      const stored = await this.#parts.save({ ...writtenOf(sent), base_version: this.#stored.version })
      // Later changes are based on what was just saved.
      this.#draft = { ...this.#draft, base: sent }
      this.#adopt(stored)
    } catch (error) {
      if (!isRefused(error)) this.#remember(sent)
      if (!isConflict(error)) throw error
      this.#adopt(await this.#parts.load())
    }
    this.#unanswered = []
  }

  #remember(sent: Edits): void {
    const last = this.#unanswered.at(-1)
    if (!last || !isSame(last, sent)) this.#unanswered.push(sent)
  }

  get #retryMs(): number {
    return Math.min((this.#parts.retryMs ?? firstRetryMs) * 2 ** (this.#failures - 1), longestRetryMs)
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.status >= 400 && error.status < 500

const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'CORRECTIONS_CONFLICT'

/** Whether the same request may succeed later by itself. */
const mayPass = (error: Error): boolean =>
  error instanceof Refusal &&
  (!isRefused(error) || error.code === 'RATE_LIMITED' || error.code === 'CSRF_TOKEN_INVALID')
