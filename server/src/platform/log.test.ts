// Lines of the log: which trace they belong to, and what is never in them.
import pino from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { logOptions } from './log.ts'

const sessionId = '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b'
const traceId = '0199a0b1c2d37e4f8a5b6c7d8e9f0a1b'

function logged(env: Record<string, string>, fields: object): Record<string, unknown> {
  const lines: string[] = []
  pino(logOptions(readConfig(env)), { write: (line: string) => lines.push(line) }).info(fields, 'something')
  return JSON.parse(lines[0] ?? '{}')
}

const traced = { PARLEY_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

it('while traces are on, a line about a call or a batch names its trace', () => {
  expect(logged(traced, { session_id: sessionId })).toMatchObject({
    session_id: sessionId,
    trace_id: traceId,
  })
  expect(logged(traced, { batch_id: sessionId })).toMatchObject({ trace_id: traceId })
  expect(logged(traced, { port: 8080 })).not.toHaveProperty('trace_id')
  expect(logged({}, { session_id: sessionId })).not.toHaveProperty('trace_id')
})

it('a request that is about a call stays in the trace of its client', () => {
  expect(logged(traced, { session_id: sessionId, trace_id: 'of the client' })).toMatchObject({
    trace_id: 'of the client',
  })
})

it('secrets and numbers are not shown', () => {
  const line = logged(traced, { session_id: sessionId, api_key: 'k', to_phone_number: '+15550100' })
  expect(line).toMatchObject({ api_key: '[redacted]', to_phone_number: '[redacted]', trace_id: traceId })
})
