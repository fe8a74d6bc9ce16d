// The results of all recipients as CSV, read page by page to bound memory.

import { csvCell, type StreamedText } from '../../http/body/text-stream.ts'
import type { Queries } from '../../platform/db/db.ts'
import { isSandbox } from '../calls/calls.ts'
import { type ResultRow, resultsAfter } from './recipient-store.ts'

const columns: Readonly<Record<string, (row: ResultRow) => unknown>> = {
  row: ({ place }) => place,
  recipient_id: (row) => row.recipient_id,
  to_phone_number: (row) => row.to_phone_number,
  name: ({ name }) => name,
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts,
  session_id: (row) => row.session_id,
  call_status: (row) => row.call_status,
  answered_by: (row) => row.answered_by,
  hangup_reason: (row) => row.hangup_reason,
  duration: ({ duration }) => duration,
  call_initiated_time: (row) => row.call_initiated_time?.toISOString(),
  call_completed_time: (row) => row.call_completed_time?.toISOString(),
  error_message: (row) => row.error_message,
  sandbox: isSandbox,
  variables: ({ variables }) => variables && JSON.stringify(variables),
}

// So many rows take a few hundred kilobytes.
const atOnce = 1_000

export type ResultLines = (batchId: string) => StreamedText

export const resultLines =
  (db: Queries): ResultLines =>
  (batchId) =>
    async function* (signal) {
      yield `${Object.keys(columns).join()}\r\n`
      for (let last = 0; !signal.aborted; last += atOnce) {
        const rows = await resultsAfter(db, batchId, last, atOnce)
        if (rows.length === 0) return
        yield rows.map(lineOf).join('')
      }
    }

const lineOf = (row: ResultRow): string =>
  `${Object.values(columns)
    .map((read) => csvCell(read(row)))
    .join()}\r\n`
