// One call that tries the agent as it is on the screen, from the click to the record: spoken, typed, or with somebody of
// the sandbox.
import type { CallDetail, dashboard } from '@parley/contract'
import { api, Refusal } from '../../api.ts'
import { eventNames, follow, type LiveView, nothingYet } from '../../calls/calls.ts'
import {
  chosenDevices,
  Line,
  type Meter,
  microphoneFault,
  openMeter,
  openMicrophone,
} from '../../talk/talk.ts'

export type TrialMode = 'talk' | 'type' | 'simulate'

export type TrialStage =
  | { readonly is: 'idle' }
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  | { readonly is: 'over'; readonly record: CallDetail | undefined }

export interface TrialView {
  readonly stage: TrialStage
  readonly mode: TrialMode
  readonly live: LiveView
  readonly sessionId: string
  /** Why it could not begin or be stopped, or broke off. */
  readonly error: Error | undefined
  readonly warnings: dashboard.DraftCall['warnings']
}

const before: TrialView = {
  stage: { is: 'idle' },
  mode: 'type',
  live: nothingYet,
  sessionId: '',
  error: undefined,
  warnings: [],
}

export class TrialCall {
  readonly you: Meter = openMeter()
  readonly them: Meter = openMeter()
  readonly #listeners = new Set<() => void>()
  #view = before
  #line: Line | undefined
  #microphone: MediaStream | undefined
  #events: EventSource | undefined
  #workspaceId = ''

  get view(): TrialView {
    return this.#view
  }

  watch = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    return () => this.#listeners.delete(onChange)
  }

  /** `place` asks the server for the call, once the microphone is there. */
  async start(
    workspaceId: string,
    mode: TrialMode,
    place: () => Promise<dashboard.DraftCall>,
  ): Promise<void> {
    this.close()
    this.#workspaceId = workspaceId
    this.#change({ ...before, mode, stage: { is: 'connecting' } })
    try {
      this.#microphone = await this.#openEars(mode)
      const call = await place()
      this.#change({ sessionId: call.session_id, warnings: call.warnings })
      this.#watchEvents(call.session_id)
      if (!call.join || mode === 'simulate') return this.#change({ stage: { is: 'live' } })
      if (this.#microphone) this.you.listen(this.#microphone)
      this.#line = new Line(call.join, this.#microphone, {
        onWay: (_way, sound) => {
          this.them.listen(sound)
          this.#change({ stage: { is: 'live' } })
        },
        onEnd: (fault) => this.#end(fault),
      })
    } catch (error) {
      this.#letGo()
      this.#change({ stage: { is: 'idle' }, error: wordsFor(error) })
    }
  }

  type(text: string): void {
    this.#line?.type(text)
  }

  hangUp(): void {
    const { sessionId, stage } = this.#view
    if (this.#line) this.#line.hangUp()
    else if (stage.is === 'live' && sessionId) void this.#stop(sessionId)
  }

  /** Hangs up if need be, and watches no longer. */
  close(): void {
    this.hangUp()
    this.#events?.close()
    this.#letGo()
  }

  /** A user who types has no microphone open. */
  async #openEars(mode: TrialMode): Promise<MediaStream | undefined> {
    if (mode === 'simulate') return undefined
    return mode === 'talk' ? openMicrophone(chosenDevices().microphone) : undefined
  }

  #change(part: Partial<TrialView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listener of this.#listeners) listener()
  }

  #watchEvents(sessionId: string): void {
    const events = api.watchCall(this.#workspaceId, sessionId)
    this.#events = events
    for (const name of eventNames)
      events.addEventListener(name, ({ data }: MessageEvent<string>) => {
        this.#change({ live: follow(this.#view.live, name, JSON.parse(data)) })
        const { ended, analysis } = this.#view.live
        if (!ended) return
        void this.#read(sessionId)
        // Left open, the browser would reconnect to a stream that has ended.
        if (analysis || !ended.analysis_follows) events.close()
      })
  }

  async #stop(sessionId: string): Promise<void> {
    try {
      await api.stopCall(this.#workspaceId, sessionId)
    } catch (error) {
      // It has ended meanwhile, or was stopped before.
      const ends = error instanceof Refusal && error.code === 'CALL_STATE_CONFLICT'
      if (!ends && sessionId === this.#view.sessionId) this.#change({ error: error as Error })
    }
  }

  #end(fault: string | undefined): void {
    this.#letGo()
    const error = fault === undefined ? undefined : new Error(fault)
    const begun = !fault || this.#view.live.status !== 'queued'
    this.#change({ stage: begun ? { is: 'over', record: undefined } : { is: 'idle' }, error })
  }

  async #read(sessionId: string): Promise<void> {
    const record = await api.call(this.#workspaceId, sessionId).catch(() => undefined)
    if (sessionId === this.#view.sessionId) this.#change({ stage: { is: 'over', record } })
  }

  #letGo(): void {
    for (const track of this.#microphone?.getTracks() ?? []) track.stop()
    this.#microphone = undefined
    this.#line = undefined
    this.you.rest()
    this.them.rest()
  }
}

function wordsFor(error: unknown): Error {
  const fault = microphoneFault(error)
  if (fault) return new Error(fault)
  return error instanceof Error ? error : new Error('The call could not begin.')
}
