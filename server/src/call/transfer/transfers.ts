// Transfers to the agent's destinations: cold or warm, by the means that the line has. A transfer that fails comes back to
// the caller, who is told, and the conversation goes on.
import { HoldMusicPlayer } from '../../media/hold-music.ts'
import type { TransferOutcome, TransferRecord } from '../../ports/call.ts'
import type { CallPlan, TransferDestination } from '../../ports/call-plan.ts'
import type { Line, LineEnd, TransferMode, TransferResult } from '../../ports/line.ts'
import type { CallContext } from '../call-context.ts'
import type { CallParts } from '../call-parts.ts'
import { faultSentence } from '../contain.ts'
import { transcriberOptions } from '../pick-up.ts'
import type { Aside } from '../two-way-audio.ts'
import { Consult } from './consult.ts'

export interface TransfersParts {
  readonly plan: CallPlan
  readonly parts: CallParts
  readonly line: Line
  readonly context: CallContext
  readonly onRecord: (record: TransferRecord) => void
}

// A caller who hears music for longer hangs up.
const ringingMs = 30_000
// A blind transfer is in the hands of the carrier: it reports sooner, or not at all.
const blindMs = 60_000

interface UnderWay {
  readonly destination: TransferDestination
  readonly sinceMs: number
  readonly method: TransferMode
  readonly consult: Consult | undefined
}

export class Transfers {
  readonly #given: TransfersParts
  readonly #music: HoldMusicPlayer
  #underWay: UnderWay | undefined
  #summary = ''

  constructor(given: TransfersParts) {
    this.#given = given
    this.#music = new HoldMusicPlayer(given.line.rateHz)
  }

  /** Adds the music that a waiting caller hears. */
  comfort(samples: Int16Array): void {
    this.#music.addTo(samples, this.#underWay !== undefined)
  }

  /** What the agent and the target said to each other in the last 20 ms. */
  get aside(): Aside | undefined {
    return this.#underWay?.consult?.sound
  }

  begin(place: number): void {
    const { plan, context } = this.#given
    const destination = plan.transfers[place]
    if (!destination) {
      this.#answer({ is: 'failed', reason: 'There is no such destination.' })
      return
    }
    const { name, mode } = destination
    context.onUpdate({ type: 'note', note: `The call is being transferred to ${name} (${mode}).` })
    try {
      this.#start(destination)
    } catch (error) {
      this.#underWay ??= this.#under(destination, 'bridged')
      this.#failed('failed', faultSentence(error))
    }
  }

  tick(): void {
    const underWay = this.#underWay
    if (!underWay) return
    underWay.consult?.tick()
    const passedMs = this.#given.context.clock.nowMs - underWay.sinceMs
    if (!underWay.consult && passedMs >= blindMs)
      this.#failed('failed', 'The carrier did not report in time.')
  }

  /** Drops the second call at the end of the call. */
  close(): void {
    this.#underWay?.consult?.close()
    if (this.#underWay) this.#record(this.#underWay, 'failed', 'The call ended first.')
    this.#underWay = undefined
  }

  #start(destination: TransferDestination): void {
    const { line, context } = this.#given
    const wantsWords = destination.mode === 'warm'
    if (wantsWords && !line.consult)
      context.onUpdate({ type: 'note', note: 'This line cannot place a second call: the transfer is cold.' })
    if (line.consult && (wantsWords || !line.can.transfers.includes('blind'))) this.#consult(destination)
    else this.#hand(destination)
  }

  #hand(destination: TransferDestination): void {
    const { line } = this.#given
    const [method] = (['blind', 'bridged'] as const).filter((one) => line.can.transfers.includes(one))
    if (!method) throw new Error('This line cannot transfer calls.')
    const underWay = this.#under(destination, method)
    this.#underWay = underWay
    line.transfer({ to: destination.to, mode: method }).then(
      (result) => this.#settle(underWay, result),
      (error) => this.#settle(underWay, { is: 'failed', reason: faultSentence(error) }),
    )
  }

  #under = (destination: TransferDestination, method: TransferMode, consult?: Consult): UnderWay => ({
    destination,
    method,
    consult,
    sinceMs: this.#given.context.clock.nowMs,
  })

  #consult(destination: TransferDestination): void {
    const { plan, parts, line, context } = this.#given
    this.#summarise(destination)
    const consult = new Consult({
      line,
      to: destination.to,
      clock: context.clock,
      voice: context.output.voice,
      hearing: {
        transcriber: parts.transcriber,
        detector: parts.detector,
        // The briefing goes by the silences itself.
        options: { ...transcriberOptions(plan, parts, line.rateHz), turnDetection: 'call' },
      },
      words: () => (destination.mode === 'warm' ? this.#briefing(destination) : ''),
      ringingMs,
      onRinging: () => context.onUpdate({ type: 'note', note: 'The transfer is ringing.' }),
      onCharacters: (count) => context.usage.characters(count),
      onCached: (count) => context.usage.cachedCharacters(count),
      onConnected: () => this.#settle(this.#underWay, { is: 'bridged' }),
      onRefused: (outcome, reason) => this.#failed(outcome, reason),
    })
    this.#underWay = this.#under(destination, 'bridged', consult)
  }

  /** Has the model summarise the call while the target's telephone rings. */
  #summarise({ mode, message }: TransferDestination): void {
    this.#summary = ''
    if (mode === 'cold' || message) return
    void this.#given.context.summarise().then((summary) => {
      this.#summary = summary
    })
  }

  #briefing({ message }: TransferDestination): string {
    const { sayings } = this.#given.plan.turn
    return `${message || this.#summary || sayings.callerWaits} ${sayings.takeCall}`
  }

  #settle(underWay: UnderWay | undefined, result: TransferResult): void {
    if (!underWay || underWay !== this.#underWay) return
    if (result.is === 'failed') {
      if (result.isRefused && this.#callInstead(underWay.destination, result.reason)) return
      this.#failed(outcomes[result.cause ?? 'failed'], result.reason)
      return
    }
    this.#underWay = undefined
    this.#record(underWay, 'completed', null)
    this.#answer(result)
  }

  /** Calls the target ourselves and joins the two, because the far end carries out no transfers. */
  #callInstead(destination: TransferDestination, reason: string): boolean {
    const { line, context } = this.#given
    if (!line.consult) return false
    context.onUpdate({ type: 'note', note: `The far end refused to transfer the call: ${reason}` })
    try {
      this.#consult(destination)
      return true
    } catch {
      // The call has ended meanwhile.
      return false
    }
  }

  #failed(outcome: TransferOutcome, reason: string): void {
    const underWay = this.#underWay
    this.#underWay = undefined
    if (underWay) this.#record(underWay, outcome, reason)
    this.#answer({ is: 'failed', reason })
  }

  #record({ destination, sinceMs, method }: UnderWay, outcome: TransferOutcome, reason: string | null): void {
    const { name, to, mode } = destination
    const seconds = (this.#given.context.clock.nowMs - sinceMs) / 1_000
    this.#given.onRecord({ destination: name, to, mode, method, outcome, reason, seconds })
    const told =
      reason === null ? `The caller was connected to ${name}.` : `The transfer to ${name} failed: ${reason}`
    this.#given.context.transferAnswered(told, sinceMs)
  }

  #answer(result: TransferResult): void {
    const { context, plan } = this.#given
    context.dispatch({ type: 'transfer-ended', result, words: plan.turn.sayings.notConnected })
  }
}

export const outcomes: Readonly<Record<LineEnd, TransferOutcome>> = {
  hangup: 'declined',
  busy: 'busy',
  rejected: 'declined',
  'no-answer': 'no-answer',
  unreachable: 'failed',
  'no-trunk': 'failed',
  failed: 'failed',
}
