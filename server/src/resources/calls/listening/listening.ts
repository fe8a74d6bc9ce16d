// Listening in to a call, whichever process runs it: its sound comes over notices of the database.
//
//   call_listening       {"id": …, "is": "begin", "session": …, "by": …}   to every process, again while somebody listens
//                        {"id": …, "is": "end"}
//   listening_<id>       "on"                                              by the process that runs the call
//                        "no <why>"
//                        "<rate in Hz> <samples, little endian, base64>"
//                        "over"                                            the call has ended
//
// A piece of 60 ms at 48 kHz takes 7680 characters; a notice holds 8000.
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { LiveSound } from './live-sound.ts'

const notify = statement('SELECT pg_notify($1, $2)')
const requests = 'call_listening'
const channelOf = (id: string): string => `listening_${id}`

// Listening is renewed, because a process that died does not say that it has stopped.
const renewMs = 5_000
const staleMs = 3 * renewMs
// The process that runs the call answers at once; a busy machine takes a moment.
const answerMs = 5_000
// Notices that wait for the database; beyond that the listener misses something, and the call does not wait.
const mostWaiting = 8

type Request =
  | { readonly id: string; readonly is: 'begin'; readonly session: string; readonly by: string }
  | { readonly id: string; readonly is: 'end' }

const tell = (db: Queries, channel: string, text: string) => db.rows(notify, [channel, text])

export interface SoundListener {
  onSound(bytes: Buffer, rateHz: number): void
  /** Called with a sentence that says why nobody may listen, or undefined when the call is over. */
  onEnd(why: string | undefined): void
}

/** For the process that a listener is connected to. */
export const openListening =
  (db: Db) =>
  async (sessionId: string, by: string, { onSound, onEnd }: SoundListener): Promise<{ stop(): void }> => {
    const id = newId()
    let isOver = false
    const begin = () =>
      void tell(db, requests, JSON.stringify({ id, is: 'begin', session: sessionId, by })).catch(() => {})
    const end = (why: string | undefined) => {
      if (stop()) onEnd(why)
    }
    const subscription = await db.listen(channelOf(id), {
      notice(text) {
        if (text === 'over') return end(undefined)
        clearTimeout(unanswered)
        if (text.startsWith('no ')) return end(text.slice(3))
        const [rateHz = '', samples] = text.split(' ', 2)
        if (samples && !isOver) onSound(Buffer.from(samples, 'base64'), Number(rateHz))
      },
      resumed: begin,
    })
    const renewing = setInterval(begin, renewMs)
    const unanswered = setTimeout(() => end('This call is not running any more.'), answerMs)
    const stop = (): boolean => {
      if (isOver) return false
      isOver = true
      clearInterval(renewing)
      clearTimeout(unanswered)
      void subscription.close()
      void tell(db, requests, JSON.stringify({ id, is: 'end' })).catch(() => {})
      return true
    }
    return { stop: () => void stop() }
  }

export interface ListeningOptions {
  readonly db: Db
  readonly log: Log
  /** Undefined: the call does not run in this process. */
  readonly live: (sessionId: string) => LiveSound | undefined
}

/** Answers listeners in a process that runs calls. The record of a call keeps who listened to it, and how long. */
export async function answerListening({
  db,
  log,
  live,
}: ListeningOptions): Promise<{ close(): Promise<void> }> {
  const listening = new Map<string, LiveListener>()
  const begin = (id: string, sessionId: string, by: string) => {
    const known = listening.get(id)
    if (known) return known.renew()
    const sound = live(sessionId)
    if (!sound) return
    if (sound.refusal) return void tell(db, channelOf(id), `no ${sound.refusal}`).catch(() => {})
    const onGone = () => listening.delete(id)
    listening.set(id, new LiveListener({ db, log, id, sessionId, by, sound, onGone }))
  }
  const subscription = await db.listen(requests, {
    notice(text) {
      const request = JSON.parse(text) as Request
      if (request.is === 'begin') begin(request.id, request.session, request.by)
      else listening.get(request.id)?.end()
    },
  })
  return {
    async close() {
      await subscription.close()
      for (const one of listening.values()) one.end()
    },
  }
}

interface ListeningParts {
  readonly db: Db
  readonly log: Log
  readonly id: string
  readonly sessionId: string
  readonly by: string
  readonly sound: LiveSound
  readonly onGone: () => void
}

/** One listener, in the process that runs the call. */
class LiveListener {
  readonly #parts: ListeningParts
  readonly #beganMs = performance.now()
  readonly #source: { stop(): void }
  readonly #stored: Promise<unknown>
  #stale: NodeJS.Timeout
  #waiting = 0

  constructor(parts: ListeningParts) {
    this.#parts = parts
    const { db, id, sessionId, by, sound, log } = parts
    this.#stale = setTimeout(() => this.end(), staleMs)
    this.#source = sound.listen(
      (samples, rateHz) => this.#send(samples, rateHz),
      () => this.end(),
    )
    sound.note(`${by} listens in.`)
    this.#stored = insertListener(db, { id, sessionId, by }).catch((err) =>
      log.warn({ err, session_id: sessionId }, 'a listener is not in the record of the call'),
    )
    void tell(db, channelOf(id), 'on').catch(() => {})
  }

  renew(): void {
    this.#stale.refresh()
  }

  end(): void {
    const { db, id, sound, by, onGone } = this.#parts
    clearTimeout(this.#stale)
    this.#source.stop()
    const seconds = Math.round((performance.now() - this.#beganMs) / 1_000)
    sound.note(`${by} listened in for ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`)
    onGone()
    void tell(db, channelOf(id), 'over').catch(() => {})
    void this.#stored.then(() => settleListener(db, id)).catch(() => {})
  }

  #send(samples: Int16Array, rateHz: number): void {
    if (this.#waiting >= mostWaiting) return
    this.#waiting++
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    void tell(this.#parts.db, channelOf(this.#parts.id), `${rateHz} ${bytes.toString('base64')}`)
      .catch(() => {})
      .finally(() => this.#waiting--)
  }
}

const insert = statement(`
  INSERT INTO call_listeners (listening_id, session_id, workspace_id, listener)
  SELECT $1, session_id, workspace_id, $3 FROM calls WHERE session_id = $2`)

const settle = statement(`
  UPDATE call_listeners SET ended_at = now() WHERE listening_id = $1 AND ended_at IS NULL`)

const insertListener = (db: Queries, listener: { id: string; sessionId: string; by: string }) =>
  db.rows(insert, [listener.id, listener.sessionId, listener.by])

const settleListener = (db: Queries, id: string) => db.rows(settle, [id])
