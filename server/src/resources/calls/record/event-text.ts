// The events of a call as server-sent events.
//
//   id: 3
//   event: transcript
//   data: {"at":"2026-01-31T09:30:12.500Z","turn":1,"role":"agent", …}
import type { EventText } from '../../../http/event-stream.ts'
import type { LiveCalls } from '../listening/live-calls.ts'
import type { StoredEvent } from './event-store.ts'

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
