// The address of a process: whether it is free, listening on it, and leaving it.
import { once as onceEmitted } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, SettingError } from '../platform/config.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { HttpSide } from './wire.ts'

/** The URL at which a user of this machine reaches a listening address. */
export function addressOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The port is checked first, so that one in use does not cost the start of a database. */
export async function mustBeFree({ host, port }: Config): Promise<void> {
  const probe = createServer()
  try {
    await onceEmitted(probe.listen({ host, port }), 'listening')
  } catch (error) {
    throw inOurWords(error as NodeJS.ErrnoException, host, port)
  }
  probe.close()
  await onceEmitted(probe, 'close')
}

export async function listen({ app }: HttpSide, { host, port }: Config): Promise<number> {
  try {
    await app.listen({ host, port })
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    throw inOurWords(error as NodeJS.ErrnoException, host, port)
  }
}

function inOurWords(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError(
        'PORT',
        `${port} is in use by another program; stop that one or choose another.`,
      )
    case 'EACCES':
      return new SettingError('PORT', `${port} may not be opened by this user; choose one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError('HOST', `${host} is not an address of this machine.`)
    default:
      return error
  }
}

/** The server accepts no new connections; requests in progress are completed within the time. */
export async function closeRequests(
  { app }: HttpSide,
  { config, log }: Infrastructure,
  ms: number,
): Promise<void> {
  const timeout = setTimeout(() => {
    log.warn({ drain_seconds: config.drainSeconds }, 'requests aborted at shutdown')
    app.server.closeAllConnections()
  }, ms)
  // A connection that was busy when closing began stays open after its response.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearInterval(sweep)
  clearTimeout(timeout)
}
