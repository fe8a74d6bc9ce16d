// A call's life: session → listen → turn → think → speak → play → record → finish.
//
// The session connects the parts and drives them: every 20 ms one frame of the caller in, one step of the turn logic, one
// frame of the agent out. It has no timers; events from the engines and the line are handled at once.
import type { Frame } from '../media/frame.ts'
import { InformationTones } from '../media/information-tones.ts'
import type { CallOutcome } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { Line, LineAbilities, LineEvent, TransferRequest, TransferResult } from '../ports/line.ts'
import { type CallContext, openCallContext } from './call-context.ts'
import { CallLine } from './call-line.ts'
import type { CallParts } from './call-parts.ts'
import { attempt, containedParts, faultSentence, saidBy } from './contain.ts'
import { type PerformedAct, performer } from './perform.ts'
import { type AnsweredCall, pickUp, warmUpEngines } from './pick-up.ts'
import { type Masker, openMasking } from './privacy/masking.ts'
import { answeredBy, CallCompletion, remainsOf } from './record/call-outcome.ts'
import { Transfers } from './transfer/transfers.ts'
import { type Ending, endings } from './turn/endings.ts'
import type { Act, TurnEvent } from './turn/turn-state.ts'
import { lastHeardMs, wordsOfCaller } from './turn/utterance.ts'
import { TurnLoop } from './turn-loop.ts'

export type { CallParts } from './call-parts.ts'

export interface CallSession {
  /**
   * Advances the call to `nowMs`: every 20 ms until `done`, or further where ticks were dropped. `lateMs`: how much later than
   * that it is. Never throws.
   */
  tick(nowMs: number, lateMs?: number): void
  stop(why: 'api' | 'draining'): void
  /** The abilities of the line; undefined before there is one. */
  readonly can: LineAbilities | undefined
  /** Rejects, as the two below, if the line lacks the ability, the call is in another state, or it ends first. */
  sendDigits(digits: string): Promise<void>
  hold(on: boolean): Promise<void>
  transfer(request: TransferRequest): Promise<TransferResult>
  /** An otherwise uncaught error of this call: the call ends with it as the reason. */
  fail(error: unknown): void
  /** Resolves once, whatever happens. */
  readonly done: Promise<CallOutcome>
}

/** Nothing happens before the first tick, which is the call's time zero. */
export function startCall(plan: CallPlan, parts: CallParts): CallSession {
  const masking = openMasking(plan)
  return new Session(plan, masking?.partsOf(parts) ?? parts, masking)
}

// A greeting that is not ready within this time is not waited for: callers hang up after a few rings.
const longestRingingMs = 5_000
// An engine that is being loaded is waited for as long as trunks let a call ring, which is half a minute and more.
const longestRingingUnloadedMs = 25_000
// Engines take seconds to load, and on a busy machine many. Nobody waits yet for a call that was not dialled.
const longestUndialledMs = 60_000

class Session implements CallSession {
  readonly #plan: CallPlan
  readonly #parts: CallParts
  readonly #masking: Masker | undefined
  readonly #clock = { nowMs: 0, lateMs: 0 }
  readonly #finishing = new CallCompletion(this.#clock)
  readonly #loop: TurnLoop
  readonly #line: CallLine
  #context: CallContext | undefined
  #perform: ((act: PerformedAct) => void) | undefined
  #answer: AnsweredCall | undefined
  #transfers: Transfers | undefined
  /** Listens for information tones before the answer. */
  #early: InformationTones | undefined
  #claimedMs: number | undefined
  #startedMs = 0
  #pickedUp = false
  #over = false

  constructor(plan: CallPlan, parts: CallParts, masking: Masker | undefined) {
    this.#plan = plan
    this.#masking = masking
    this.#parts = containedParts(parts, (error) => this.fail(error))
    this.#loop = new TurnLoop({
      rules: { ...plan.turn, finalAfterMs: parts.transcriber.abilities.finalAfterMs },
      act: (act) => this.#do(act),
      fail: (error) => this.fail(error),
    })
    this.#line = new CallLine({
      clock: this.#clock,
      dispatch: (event) => this.#dispatch(event),
      onUpdate: this.#parts.onUpdate,
      onAnswered: () => this.#onAnswer(),
    })
  }

  get done(): Promise<CallOutcome> {
    const { done } = this.#finishing
    return this.#masking ? done.then((outcome) => this.#masking?.outcome(outcome) ?? outcome) : done
  }

  tick(nowMs: number, lateMs = 0): void {
    // Whole milliseconds are enough, and sums of fractions drift.
    this.#clock.nowMs = Math.round(nowMs)
    this.#clock.lateMs = lateMs
    if (this.#over) attempt(() => this.#finishing.tick())
    else this.#live(this.#clock.nowMs)
  }

  #live(nowMs: number): void {
    try {
      if (!this.#context && !this.#isDue(nowMs)) return
      if (!this.#context) this.#begin()
      if (this.#over) return
      if (this.#answer) this.#context?.lateSound.tick()
      this.#answer?.sound.hear(nowMs, this.#loop.isApart)
      this.#dispatch({ type: 'tick', nowMs })
      if (this.#over) return
      this.#answer?.sound.speak(this.#loop.isApart)
      this.#context?.replies.tick()
      this.#context?.output.tick()
      this.#context?.partials.tick()
      this.#pickUpWhenReady(nowMs)
      this.#transfers?.tick()
    } catch (error) {
      this.fail(error)
    }
  }

  stop(why: 'api' | 'draining'): void {
    this.#loop.begin(this.#clock.nowMs)
    this.#dispatch({ type: 'stop', why })
  }

  get can(): LineAbilities | undefined {
    return this.#line.can
  }

  async sendDigits(digits: string): Promise<void> {
    await this.#line.ask({ do: 'send-digits', digits })
  }

  async hold(on: boolean): Promise<void> {
    await this.#line.ask({ do: 'hold', on })
  }

  async transfer(request: TransferRequest): Promise<TransferResult> {
    const result = await this.#line.ask({ do: 'transfer', request })
    return result ?? { is: 'failed', reason: 'The line gave no result.' }
  }

  fail(error: unknown): void {
    this.#end(endings.broken(faultSentence(error)))
  }

  /** Whether the call can begin: a number is dialled when its engines are loaded. */
  #isDue(nowMs: number): boolean {
    if (this.#claimedMs === undefined) this.#startedMs = nowMs
    this.#claimedMs ??= nowMs
    const { callType, resumed } = this.#plan
    if (callType !== 'outbound' || resumed || this.#isLoaded) return true
    if (nowMs - this.#claimedMs >= longestUndialledMs)
      this.#end(endings.voice('The offline engines were not loaded within a minute.'))
    return false
  }

  get #isLoaded(): boolean {
    return this.#parts.isLoaded?.() ?? true
  }

  #begin(): void {
    const { connect, onUpdate } = this.#parts
    this.#startedMs = this.#clock.nowMs
    this.#loop.begin(this.#clock.nowMs)
    onUpdate({ type: 'status', status: 'initiated' })
    let line: Line
    try {
      line = connect({
        onEvent: (event) => this.#onLine(event),
        onFrame: (frame, arrivedMs) => this.#onFrame(frame, arrivedMs),
      })
    } catch (error) {
      this.#dispatch({ type: 'line-ended', cause: 'failed', error: faultSentence(error) })
      return
    }
    this.#line.use(line)
    this.#context = openCallContext({
      plan: this.#plan,
      parts: this.#parts,
      clock: this.#clock,
      rateHz: line.rateHz,
      askFinal: () => this.#answer?.recognition.askFinal(),
      dispatch: (event) => this.#dispatch(event),
      sendDigits: (digits) => this.sendDigits(digits),
    })
    warmUpEngines(this.#plan, this.#parts, this.#context.output.voice, line.rateHz)
    this.#perform = performer(this.#context)
    this.#early = new InformationTones(line.rateHz)
    this.#transfers = new Transfers({
      plan: this.#plan,
      parts: this.#parts,
      line,
      context: this.#context,
      onRecord: (record) => this.#line.keepTransfer(record),
    })
    this.#dispatch({ type: 'dialled' })
  }

  #dispatch(event: TurnEvent): void {
    this.#loop.dispatch(event)
  }

  #do(act: Act): void {
    switch (act.do) {
      case 'end':
        this.#end(act.ending)
        break
      case 'record':
        this.#answer?.recorder[act.what]()
        break
      case 'send-digits':
      case 'hold':
      case 'transfer':
      case 'refuse-command':
        void this.#line.perform(act)
        break
      case 'transfer-to':
        this.#transfers?.begin(act.destination)
        break
      default:
        this.#perform?.(act)
    }
  }

  #onFrame(frame: Frame, arrivedMs: number | undefined): void {
    if (this.#answer) this.#answer.sound.push(frame, arrivedMs)
    else if (this.#early?.hears(frame.samples)) this.#dispatch({ type: 'information-tones' })
  }

  #onLine(event: LineEvent): void {
    if (this.#over) return
    try {
      this.#line.take(event)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Lets the telephone ring until the greeting is ready, so that nobody pays for silence. */
  #pickUpWhenReady(nowMs: number): void {
    const { line } = this.#line
    if (this.#pickedUp || !line?.pickUp || !this.#context) return
    const ringingMs = nowMs - this.#startedMs
    if (!this.#isLoaded && ringingMs < longestRingingUnloadedMs) return
    if (!this.#context.output.isReady && ringingMs < longestRingingMs) return
    this.#pickedUp = true
    line.pickUp()
  }

  #onAnswer(): void {
    const { line } = this.#line
    if (!this.#context || !line || this.#answer) return
    this.#answer = pickUp({
      plan: this.#plan,
      parts: this.#parts,
      line,
      context: this.#context,
      comfort: (samples) => this.#transfers?.comfort(samples),
      aside: () => this.#transfers?.aside,
    })
    this.#parts.onUpdate({ type: 'status', status: 'in-progress' })
    this.#dispatch({ type: 'answered' })
    if (!this.#over) this.#answer.recognition.open()
  }

  /** Releases everything, whatever fails on the way. */
  #end(ending: Ending): void {
    if (this.#over) return
    this.#over = true
    this.#loop.close()
    const { answer, context, line } = { answer: this.#answer, context: this.#context, line: this.#line }
    const releases = [
      () => this.#transfers?.close(),
      () => context?.replies.discardAll(),
      () => context?.output.discardAll(),
      () => this.#keepLastWords(),
      () => context?.lateSound.close(),
      () => answer?.recognition.close(),
      () => line.close(ending.reason),
    ]
    const faults = releases.flatMap(attempt)
    const remains = remainsOf({
      answer,
      context,
      callSid: saidBy(() => line.line?.callSid) ?? null,
      line: line.record && { ...line.record, lateFrames: context?.lateSound.notable },
      startedMs: this.#startedMs,
      endedMs: this.#clock.nowMs,
      answeredBy: answeredBy(this.#loop.turn, answer !== undefined),
      engines: this.#parts.engines,
      speech: saidBy(() => this.#parts.speechUsage?.()),
    })
    const error = ending.error ?? faults[0] ?? null
    // The recording is told what must not be heard in it before it is closed.
    const transcript = this.#masking?.transcript(remains.transcript) ?? remains.transcript
    this.#finishing.begin({ ...ending, error }, { ...remains, transcript }, answer?.recorder)
  }

  /** Keeps the caller's last words, which were not answered, in the transcript. */
  #keepLastWords(): void {
    const caller = this.#loop.turn?.caller
    const words = caller && wordsOfCaller(caller)
    if (!words) return
    const endMs = caller.voice.is === 'speaking' ? this.#clock.nowMs : lastHeardMs(caller)
    this.#context?.conversation.callerSaid(words, { startMs: caller.startMs ?? endMs, endMs })
  }
}
