// One call of this page, from the click to the record: microphone, call, line, events.
import type { Agent, CallDetail, WebCall } from '@parley/contract'
import { api, Refusal } from '../api.ts'
import { eventNames, follow, type LiveView, nothingYet } from '../calls/calls.ts'
import { chosenDevices } from './devices.ts'
import { Line } from './line.ts'
import { type Meter, openMeter } from './meter.ts'
import { microphoneFault, openMicrophone, silentMicrophone } from './microphone.ts'

export type CallPhase =
  | { readonly is: 'idle'; readonly fault: string | undefined }
  | { readonly is: 'connecting' }
  | { readonly is: 'talking'; readonly way: 'webrtc' | 'socket'; readonly muted: boolean }
  | { readonly is: 'over'; readonly fault: string | undefined; readonly record: CallDetail | undefined }

export interface PhoneView {
  readonly stage: CallPhase
  readonly agent: Agent | undefined
  readonly live: LiveView
}

export class Phone {
  readonly you: Meter = openMeter()
  readonly them: Meter = openMeter()
  readonly #listeners = new Set<() => void>()
  #view: PhoneView = { stage: { is: 'idle', fault: undefined }, agent: undefined, live: nothingYet }
  #line: Line | undefined
  #microphone: MediaStream | undefined
  #events: EventSource | undefined
  #sessionId = ''

  get view(): PhoneView {
    return this.#view
  }

  watch = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    return () => this.#listeners.delete(onChange)
  }

  /** `typing`: without a microphone. */
  async call(workspaceId: string, agent: Agent, { typing = false } = {}): Promise<void> {
    if (this.#view.stage.is === 'connecting' || this.#view.stage.is === 'talking') return
    this.#events?.close()
    this.#change({ stage: { is: 'connecting' }, agent, live: nothingYet })
    try {
      const { microphone, speaker } = chosenDevices()
      this.#microphone = typing ? silentMicrophone() : await openMicrophone(microphone)
      this.you.listen(this.#microphone)
      const call = await api.startWebCall(workspaceId, agent.agent_id)
      this.#sessionId = call.session_id
      this.#watchEvents(workspaceId, call)
      this.#line = new Line(call, this.#microphone, {
        speaker,
        onWay: (way, sound) => {
          this.them.listen(sound)
          this.#change({ stage: { is: 'talking', way, muted: this.#muted } })
        },
        onEnd: (fault) => this.#end(workspaceId, fault),
      })
    } catch (error) {
      this.#letGo()
      this.#events?.close()
      this.#change({ stage: { is: 'idle', fault: wordsFor(error) } })
    }
  }

  mute(): void {
    const { stage } = this.#view
    const [track] = this.#microphone?.getAudioTracks() ?? []
    if (stage.is !== 'talking' || !track) return
    track.enabled = stage.muted
    this.#change({ stage: { ...stage, muted: !stage.muted } })
  }

  /** Words instead of sound. */
  type(text: string): void {
    this.#line?.type(text)
  }

  hangUp(): void {
    this.#line?.hangUp()
  }

  get #muted(): boolean {
    return this.#microphone?.getAudioTracks()[0]?.enabled === false
  }

  #change(part: Partial<PhoneView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listener of this.#listeners) listener()
  }

  #watchEvents(workspaceId: string, { session_id }: WebCall): void {
    const events = api.watchCall(workspaceId, session_id)
    this.#events = events
    for (const name of eventNames)
      events.addEventListener(name, ({ data }: MessageEvent<string>) => {
        this.#change({ live: follow(this.#view.live, name, JSON.parse(data)) })
        const { ended, analysis } = this.#view.live
        if (!ended) return
        void this.#read(workspaceId)
        // Left open, the browser would reconnect to a stream that has ended.
        if (analysis || !ended.analysis_follows) events.close()
      })
  }

  #end(workspaceId: string, fault: string | undefined): void {
    this.#letGo()
    if (fault && this.#view.live.status === 'queued') {
      this.#events?.close()
      this.#change({ stage: { is: 'idle', fault } })
      return
    }
    this.#change({ stage: { is: 'over', fault, record: undefined } })
    if (this.#view.live.ended) void this.#read(workspaceId)
  }

  /** Reads the record once both the call and the line have ended. */
  async #read(workspaceId: string): Promise<void> {
    const sessionId = this.#sessionId
    const record = await api.call(workspaceId, sessionId).catch(() => undefined)
    const { stage } = this.#view
    if (stage.is === 'over' && sessionId === this.#sessionId) this.#change({ stage: { ...stage, record } })
  }

  #letGo(): void {
    for (const track of this.#microphone?.getTracks() ?? []) track.stop()
    this.#microphone = undefined
    this.#line = undefined
    this.you.rest()
    this.them.rest()
  }
}

function wordsFor(error: unknown): string {
  const fault = microphoneFault(error)
  if (fault) return fault
  if (error instanceof Refusal || error instanceof Error) return error.message
  return 'The call could not begin.'
}
