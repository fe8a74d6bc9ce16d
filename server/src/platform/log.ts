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
  flush(): void
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
    return { log: pino(options, stream), flush: () => {} }
  }
  // Lines are buffered and written every 200 ms or 4 KB: a write per request would be a third of its cost.
  const destination = pino.destination({ fd: 1, minLength: 4096, sync: false, periodicFlush: 200 } as object)
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}
