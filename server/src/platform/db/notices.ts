// LISTEN/NOTIFY over one connection per process, for any number of channels.
import pg from 'pg'
import { type Connection, isConnectionFault, keepAlive, sessionTimeout } from './connection.ts'

export interface Listener {
  notice(payload: string): void
  /** The connection is lost: whatever depends on notifications is stale until `resumed`. */
  lost?(): void
  /** The connection is back: notifications in between were missed. */
  resumed?(): void
}

export interface Subscription {
  close(): Promise<void>
}

export interface Notices {
  /** Calls back for every notification on the channel, and when some may have been missed. */
  listen(channel: string, listener: Listener): Promise<Subscription>
  close(): Promise<void>
}

const retryMs = 500

/** Connects with the first listener. */
export function openNotices(connection: Connection): Notices {
  const channels = new Map<string, Set<Listener>>()
  let client: pg.Client | undefined
  let connecting: Promise<pg.Client> | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  /** Commands run one after the other; a failed one does not block the next. */
  let saying: Promise<unknown> = Promise.resolve()
  const say = (to: pg.Client, command: 'LISTEN' | 'UNLISTEN', channel: string): Promise<unknown> => {
    const said = saying.then(() => to.query(`${command} ${pg.escapeIdentifier(channel)}`))
    saying = said.catch(() => {})
    return said
  }

  const allListeners = () => [...channels.values()].flatMap((listeners) => [...listeners])

  const connect = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      ...connection,
      ...keepAlive,
      ...sessionTimeout,
      application_name: 'parley listen',
    })
    opened.on('notification', ({ channel, payload }) => {
      for (const listener of channels.get(channel) ?? []) listener.notice(payload ?? '')
    })
    opened.on('error', () => {})
    opened.on('end', () => {
      // A failure to connect is handled by the code that connects.
      if (client !== opened) return
      client = undefined
      if (closed) return
      for (const listener of allListeners()) listener.lost?.()
      retryLater()
    })
    await opened.connect()
    if (closed) {
      await opened.end()
      throw new Error('closed while connecting')
    }
    client = opened
    return opened
  }

  /** Opens at most one connection, even for concurrent requests. */
  const connected = (): Promise<pg.Client> => {
    if (client) return Promise.resolve(client)
    connecting ??= connect().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  const reconnect = async () => {
    try {
      const opened = await connected()
      for (const channel of channels.keys()) await say(opened, 'LISTEN', channel)
      for (const listener of allListeners()) listener.resumed?.()
    } catch {
      retryLater()
    }
  }
  const retryLater = () => {
    clearTimeout(retry)
    if (!closed) retry = setTimeout(reconnect, retryMs).unref()
  }

  const leave = (channel: string, listener: Listener) => {
    const listeners = channels.get(channel)
    if (!listeners?.delete(listener) || listeners.size > 0) return
    channels.delete(channel)
    // UNLISTEN is not awaited: an unresponsive server must not delay a shutdown.
    if (client) say(client, 'UNLISTEN', channel).catch(() => {})
  }

  return {
    async listen(channel, listener) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      try {
        await say(await connected(), 'LISTEN', channel)
        listener.resumed?.()
      } catch (error) {
        if (!isConnectionFault(error)) {
          leave(channel, listener)
          throw error
        }
        // The database became unavailable during startup: the listener is called when it is back.
        listener.lost?.()
        retryLater()
      }
      return { close: async () => leave(channel, listener) }
    },

    async close() {
      closed = true
      clearTimeout(retry)
      await connecting?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
