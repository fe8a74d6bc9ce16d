// The log: constant messages, data in fields, no secrets and nothing anyone said.
import pino from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

export type Log = pino.Logger

// A safety net: none of these is logged on purpose. Top level only: a wildcard makes a line six times as expensive.
const neverShown = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'key',
  'token',
  'api_key',
  'to_phone_number',
  'from_phone_number',
  'content',
  'transcript',
]

export interface LogSink {
  log: Log
  /** Resolves when everything is written, or cannot be. */
  flush(): Promise<void>
}

export function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  terminal: boolean,
): LogSink {
  const human = logFormat === 'pretty' || (logFormat === 'auto' && terminal)
  const options: pino.LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: neverShown, censor: '[redacted]' },
  }
  if (human) {
    const stream = pretty({ sync: true, singleLine: true, translateTime: 'HH:MM:ss.l', colorize: terminal })
    return { log: pino(options, stream), flush: async () => {} }
  }
  // Lines are buffered and written every 200 ms or 4 KB: a write per request would be a third of its cost.
  const destination = pino.destination({ fd: 1, minLength: 4096, sync: false, periodicFlush: 200 } as object)
  return { log: pino(options, destination), flush: () => flushed(destination) }
}

// A reader that is gone, or does not read, does not keep the process from ending. Written at once, it would be waited for
// without end.
const flushMs = 1_000

const flushed = (destination: ReturnType<typeof pino.destination>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, flushMs)
    destination.flush(() => {
      clearTimeout(timer)
      resolve()
    })
  })
