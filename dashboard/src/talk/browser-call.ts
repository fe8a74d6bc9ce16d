// One call of this browser, from the click to the record: microphone, call, line, events. With a call that no browser
// joins, as with somebody of the sandbox, it is the events alone.
import type { CallDetail, dashboard } from '@parley/contract'
import { api, Refusal } from '../api.ts'
import { followCall, type LiveView, nothingYet } from '../calls/calls.ts'
import { Line, type LineWay } from './line.ts'
import { type Meter, openMeter } from './meter.ts'
import { microphoneFault, openMicrophone } from './microphone.ts'

export type CallStage =
  | { readonly is: 'idle' }
  | { readonly is: 'connecting' }
  /** `way`: undefined where no sound comes to this browser. */
  | { readonly is: 'live'; readonly way: LineWay | undefined; readonly muted: boolean }
  | { readonly is: 'over'; readonly record: CallDetail | undefined }

export interface BrowserCallView {
  readonly stage: CallStage
  readonly live: LiveView
  readonly sessionId: string
  /** Why it could not begin or be stopped, or broke off. */
  readonly error: Error | undefined
  readonly warnings: dashboard.DraftCall['warnings']
}

interface NewBrowserCall {
  readonly workspaceId: string
  /** The microphone to open, '' for the browser's own choice; undefined: none, for somebody who types or only watches. */
  readonly microphone: string | undefined
  /** The loudspeaker to play on. Left out: the browser's own choice. */
  readonly speaker?: string
  /** Asks the server for the call, once the microphone is there. */
  place(): Promise<Pick<dashboard.DraftCall, 'session_id' | 'join'> & Partial<dashboard.DraftCall>>
}

const before: BrowserCallView = {
  stage: { is: 'idle' },
  live: nothingYet,
  sessionId: '',
  error: undefined,
  warnings: [],
}

export const isUnderWay = ({ stage }: BrowserCallView): boolean =>
  stage.is === 'connecting' || stage.is === 'live'

export class BrowserCall {
  readonly you: Meter = openMeter()
  readonly them: Meter = openMeter()
  readonly #listeners = new Set<() => void>()
  #view = before
  #line: Line | undefined
  #microphone: MediaStream | undefined
  #stopFollowing = () => {}
  #workspaceId = ''

  get view(): BrowserCallView {
    return this.#view
  }

  watch = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    return () => this.#listeners.delete(onChange)
  }

  async start({ workspaceId, microphone, speaker, place }: NewBrowserCall): Promise<void> {
    if (isUnderWay(this.#view)) return
    this.#stopFollowing()
    this.#workspaceId = workspaceId
    this.#change({ ...before, stage: { is: 'connecting' } })
    try {
      this.#microphone = microphone === undefined ? undefined : await openMicrophone(microphone)
      if (this.#microphone) this.you.listen(this.#microphone)
      const { session_id: sessionId, join, warnings = [] } = await place()
      this.#change({ sessionId, warnings })
      this.#stopFollowing = followCall({ workspaceId, sessionId }, (live) => this.#hear(live))
      if (!join) return this.#change({ stage: { is: 'live', way: undefined, muted: false } })
      this.#line = new Line(join, this.#microphone, {
        ...(speaker !== undefined && { speaker }),
        onWay: (way, sound) => {
          this.them.listen(sound)
          this.#change({ stage: { is: 'live', way, muted: this.#track?.enabled === false } })
        },
        onEnd: (fault) => this.#end(fault),
      })
    } catch (error) {
      this.#letGo()
      this.#stopFollowing()
      this.#change({ stage: { is: 'idle' }, error: explained(error) })
    }
  }

  mute(): void {
    const { stage } = this.#view
    if (stage.is !== 'live' || !this.#track) return
    this.#track.enabled = stage.muted
    this.#change({ stage: { ...stage, muted: !stage.muted } })
  }

  /** Sends words instead of sound. */
  type(text: string): void {
    this.#line?.type(text)
  }

  hangUp(): void {
    if (this.#line) this.#line.hangUp()
    else if (this.#view.stage.is === 'live') void this.#stop(this.#view.sessionId)
  }

  /** Hangs up if need be, and watches no longer. */
  close(): void {
    this.hangUp()
    this.#stopFollowing()
    this.#letGo()
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#microphone?.getAudioTracks()[0]
  }

  #change(part: Partial<BrowserCallView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listener of this.#listeners) listener()
  }

  #hear(live: LiveView): void {
    this.#change({ live })
    if (!live.ended) return
    // A call with a line ends when its line does.
    if (!this.#line && this.#view.stage.is === 'live')
      this.#change({ stage: { is: 'over', record: undefined } })
    void this.#read()
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
    if (error && this.#view.live.status === 'queued') {
      this.#stopFollowing()
      this.#change({ stage: { is: 'idle' }, error })
      return
    }
    this.#change({ stage: { is: 'over', record: undefined }, error })
    if (this.#view.live.ended) void this.#read()
  }

  /** Reads the record once both the call and the line have ended. */
  async #read(): Promise<void> {
    const { sessionId } = this.#view
    const record = await api.call(this.#workspaceId, sessionId).catch(() => undefined)
    const { stage } = this.#view
    if (stage.is === 'over' && sessionId === this.#view.sessionId)
      this.#change({ stage: { ...stage, record } })
  }

  #letGo(): void {
    for (const track of this.#microphone?.getTracks() ?? []) track.stop()
    this.#microphone = undefined
    this.#line = undefined
    this.you.rest()
    this.them.rest()
  }
}

function explained(error: unknown): Error {
  const fault = microphoneFault(error)
  if (fault) return new Error(fault)
  return error instanceof Error ? error : new Error('The call could not begin.')
}
