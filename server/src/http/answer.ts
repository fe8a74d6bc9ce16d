// Responses: a status and the exact body. Success in its envelope, failure as a row of the error table.
import type { ErrorBody, Operation } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import type { Failure } from './failure.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** JSON passed through without parsing and serialising it again. */
export class Verbatim {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** Puts the data into its envelope, unless the operation has none. */
export function success({ status, answers }: Pick<Operation, 'status' | 'answers'>, data: unknown): Answer {
  const json = data instanceof Verbatim ? data.json : JSON.stringify(data)
  return { status, body: answers === 'bare' ? json : `{"status":"success","data":${json}}` }
}

export const errorAnswer = (failure: Failure, requestId: string): Answer => ({
  status: failure.status,
  body: JSON.stringify({
    status: 'error',
    code: failure.code,
    message: failure.message,
    details: failure.details,
    request_id: requestId,
  } satisfies ErrorBody),
})

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export const send = (reply: FastifyReply, { status, body }: Answer): FastifyReply =>
  reply.code(status).headers(headers).send(body)
