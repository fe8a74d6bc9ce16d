// Settings of logs, metrics and traces.
import { z } from 'zod'
import { free, headerList, set } from './kinds.ts'

export const telemetrySettings = {
  PARLEY_OTLP_ENDPOINT: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'An OpenTelemetry collector, as in `http://localhost:4318`: traces of calls and requests and all metrics are sent to it over OTLP. Unset: nowhere.',
  ),
  PARLEY_OTLP_HEADERS: set(
    headerList(),
    '',
    'Headers for the collector, comma-separated, as in `authorization=Bearer abc,x-tenant=voice`.',
  ),
  PARLEY_TRACE_SHARE: set(
    z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'a number between 0 and 1')
      .transform(Number),
    '1',
    'Of the calls and requests, how many are traced: `0.1` is one in ten, each as a whole.',
  ),
  PARLEY_LOG_LEVEL: set(
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'debug, info, warn, error or silent'),
    'info',
    'How much is logged.',
  ),
  PARLEY_LOG_FORMAT: set(
    z.enum(['auto', 'json', 'pretty'], 'auto, json or pretty'),
    'auto',
    '`auto` is pretty on a terminal and JSON elsewhere.',
  ),
}
