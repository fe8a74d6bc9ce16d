// The log: constant messages, data in fields, no secrets and nothing anyone said.
import pino from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'
import { traceIdOf } from './telemetry/trace-context.ts'

export type Log = pino.Logger

// These fields are a safety net; none is logged on purpose. Only the top level is covered: a wildcard makes a line
// six times as expensive.
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

interface LogSettings {
  readonly logLevel: Config['logLevel']
  readonly logFormat: Config['logFormat']
  /** The collector of traces, if there is one: lines then name the trace they belong to. */
  readonly telemetry?: Config['telemetry']
}

export function openLog(settings: LogSettings, terminal: boolean): LogSink {
  const { logFormat } = settings
  const human = logFormat === 'pretty' || (logFormat === 'auto' && terminal)
  const options = logOptions(settings)
  if (human) {
    const stream = pretty({ sync: true, singleLine: true, translateTime: 'HH:MM:ss.l', colorize: terminal })
    return { log: pino(options, stream), flush: async () => {} }
  }
  // Lines are buffered and written every 200 ms or 4 KB: a write per request would be a third of its cost.
  const destination = pino.destination({ fd: 1, minLength: 4096, sync: false, periodicFlush: 200 } as object)
  return { log: pino(options, destination), flush: () => flushed(destination) }
}

export const logOptions = ({ logLevel, telemetry }: LogSettings): pino.LoggerOptions => ({
  level: logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: neverShown, censor: '[redacted]' },
  ...(telemetry && { formatters: { log: withTrace } }),
})

/** A line about a call or a batch names its trace; that of a request has one already. */
function withTrace(line: Record<string, unknown>): Record<string, unknown> {
  const subject = line.session_id ?? line.batch_id
  if (typeof subject !== 'string' || line.trace_id !== undefined) return line
  return { ...line, trace_id: traceIdOf(subject) }
}

// How long the last lines may take: a reader that is gone, or does not read, must not keep the process from ending.
const flushMs = 1_000

const flushed = (destination: ReturnType<typeof pino.destination>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, flushMs)
    destination.flush(() => {
      clearTimeout(timer)
      resolve()
    })
  })
