// One request of a fuzz and its answer, and what holds for every answer.
import { randomUUID } from 'node:crypto'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { ErrorBody, errors, type Operation, transcriptOperations, voiceOperations } from '@parley/contract'
import { z } from 'zod'
import { fill } from '../requests/paths.ts'
import type { DocumentedOperation, FuzzedRequest } from './request.ts'

export interface RawReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Of a stream that does not end: what came first. */
  readonly text: string
}

/** Where requests go: the address of the service and the connections to it. */
export interface Target {
  readonly url: string
  readonly agent: Agent
}

/** One request with exactly these headers, duplicates included; fetch would normalise them. */
export const exchange = (
  { url, agent }: Target,
  { method, path }: DocumentedOperation,
  { params, rawParam, query, headers, body }: FuzzedRequest,
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const address = rawParam === undefined ? fill(path, params) : path.replaceAll(/\{\w+\}/g, () => rawParam)
    const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const bytes = body === undefined ? undefined : Buffer.from(body as string)
    const outgoing = request(
      url,
      {
        agent,
        method,
        path: `${address}${search && `?${search}`}`,
        headers: {
          ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
          ...(bytes && { 'content-length': bytes.length }),
          ...headers,
        },
      },
      (incoming) => {
        incoming.setEncoding('utf8')
        const chunks: string[] = []
        const finish = () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: chunks.join('') })
        const isStream = incoming.headers['content-type']?.startsWith('text/event-stream')
        incoming.on('data', (chunk) => {
          chunks.push(chunk)
          if (isStream) outgoing.destroy()
        })
        incoming.on('error', (error) => (isStream ? finish() : reject(error)))
        incoming.on('end', finish)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })

const contracts = new Map<string, Operation>(
  [...voiceOperations, ...transcriptOperations].map((operation) => [operation.id, operation]),
)

const types: Partial<Record<Operation['answers'], string>> = {
  csv: 'text/csv; charset=utf-8',
  'event-stream': 'text/event-stream; charset=utf-8',
}

/** What is wrong with an answer: a status that is not documented, a body without its envelope. Undefined: nothing. */
export function faultOf(documented: DocumentedOperation, received: RawReply): string | undefined {
  const { status, headers, text } = received
  const contract = contracts.get(documented.id)
  if (!contract) return `${documented.id} is not in the contract`
  if (status >= 500 || !documented.statuses.includes(status))
    return `the status ${status} is not allowed: ${text}`
  const type = headers['content-type']
  if (status < 400 && status !== contract.status) return `${status} instead of ${contract.status}: ${text}`
  if (status < 400 && type !== 'application/json; charset=utf-8') return streamFault(contract, type)
  if (type !== 'application/json; charset=utf-8') return `the content type is ${type}`
  const body = parsed(text)
  return status < 400 ? successFault(contract, body) : refusalFault(received, body)
}

const streamFault = ({ answers }: Operation, type: string | undefined): string | undefined =>
  answers === 'json-or-text' || types[answers] === type ? undefined : `the content type is ${type}`

function successFault({ answers, data }: Operation, body: unknown): string | undefined {
  const enveloped = z.strictObject({ status: z.literal('success'), data })
  const { error } = (answers === 'bare' ? data : enveloped).safeParse(body)
  return error && `the answer does not match: ${error.message}`
}

function refusalFault({ status, headers }: RawReply, body: unknown): string | undefined {
  const { data, error } = ErrorBody.safeParse(body)
  if (!data) return `the refusal does not match: ${error?.message}`
  if (errors[data.code][0] !== status) return `${data.code} has the status ${status}`
  if (data.code === 'VALIDATION_ERROR' && data.details.length === 0) return 'no details'
  const isReplayed = headers['idempotent-replayed'] !== undefined
  if (headers['x-request-id'] !== undefined && !isReplayed && data.request_id !== headers['x-request-id'])
    return `the request id ${data.request_id} is not that of the header`
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
