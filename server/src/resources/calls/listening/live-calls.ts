// Watching calls: their events from the start, then live, whichever process runs the call.

import type { EventText } from '../../../http/body/text-stream.ts'
import type { Db, Subscription } from '../../../platform/db/db.ts'
import { eventsAfter, type StoredEvent } from '../record/event-store.ts'

// So many rows take a few kilobytes, which bounds the memory of a slow reader.
const atOnce = 100
// The pause is shorter than the minute after which proxies close an idle connection.
const heartbeatMs = 15_000

interface Watcher {
  readonly sessionId: string
  wake(): void
}

export class LiveCalls {
  readonly #db: Db
  readonly #heartbeatMs: number
  readonly #watchers = new Map<string, Set<Watcher>>()
  readonly #closing = new AbortController()
  #ear: Subscription | undefined

  constructor(db: Db, options: { heartbeatMs?: number } = {}) {
    this.#db = db
    this.#heartbeatMs = options.heartbeatMs ?? heartbeatMs
  }

  async open(): Promise<this> {
    const all = () => this.#wake(this.#watchers.keys())
    this.#ear = await this.#db.listen('call_events', {
      notice: (ids) => this.#wake(ids.split(',')),
      // Notifications in between were missed.
      resumed: all,
    })
    return this
  }

  /** Disconnects all watchers; they reconnect to another process. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ear?.close()
  }

  get watched(): number {
    return this.#watchers.size
  }

  /**
   * Yields each event once, in order; undefined after a while without any. Ends after the last event, when the signal
   * aborts and when this process shuts down.
   */
  async *watch(
    sessionId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent | undefined> {
    const ended = AbortSignal.any([signal, this.#closing.signal])
    const { watcher, news } = this.#enter(sessionId, ended)
    try {
      for (let last = after; !ended.aborted; ) {
        const waiting = news()
        const events = await eventsAfter(this.#db, sessionId, last, atOnce)
        for (const event of events) {
          yield event
          if (isLast(event)) return
          last = event.seq
        }
        if (events.length > 0) watcher.wake()
        else if (!(await waiting)) yield undefined
      }
    } finally {
      this.#leave(watcher)
    }
  }

  #enter(sessionId: string, ended: AbortSignal) {
    let woken = () => {}
    const watcher: Watcher = { sessionId, wake: () => woken() }
    ended.addEventListener('abort', watcher.wake, { once: true })
    const here = this.#watchers.get(sessionId) ?? new Set()
    this.#watchers.set(sessionId, here.add(watcher))
    /** Subscribes now; resolves to true at the next notification, to false after a while without one. */
    const news = () =>
      new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, this.#heartbeatMs, false)
        woken = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    return { watcher, news }
  }

  #leave(watcher: Watcher): void {
    watcher.wake()
    const here = this.#watchers.get(watcher.sessionId)
    here?.delete(watcher)
    if (here?.size === 0) this.#watchers.delete(watcher.sessionId)
  }

  #wake(sessionIds: Iterable<string>): void {
    for (const id of sessionIds) for (const watcher of this.#watchers.get(id) ?? []) watcher.wake()
  }
}

/** If an analysis was announced, it follows the end. */
const isLast = ({ type, data }: StoredEvent): boolean =>
  type === 'analysis' || (type === 'ended' && !JSON.parse(data).analysis_follows)

// The events of a call as server-sent events.
//
//   id: 3
//   event: transcript
//   data: {"at":"2026-01-31T09:30:12.500Z","turn":1,"role":"agent", …}

// How long a browser waits before reconnecting.
const retryMs = 1_000

export const eventText = (live: LiveCalls, sessionId: string, after: number): EventText =>
  async function* (signal) {
    yield `retry: ${retryMs}\n\n`
    // A comment is not an event; it only keeps the connection open.
    for await (const event of live.watch(sessionId, after, signal))
      yield event ? textOf(event) : ': still here\n\n'
  }

/** The data is a non-empty object, so the time can be inserted before its first key. */
const textOf = ({ seq, at, type, data }: StoredEvent): string =>
  `id: ${seq}\nevent: ${type}\ndata: {"at":"${at.toISOString()}",${data.trim().replaceAll('\n', ' ').slice(1)}\n\n`
