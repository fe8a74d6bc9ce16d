// What goes back: a status and the exact body. Success in its envelope, failure as a row of the error table.
import type { ErrorBody } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import type { Failure } from './failure.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** JSON that is passed on as it came, without being read and written again. */
export class Verbatim {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

export const success = (status: number, data: unknown): Answer => ({
  status,
  body: `{"status":"success","data":${data instanceof Verbatim ? data.json : JSON.stringify(data)}}`,
})

export const refusal = (failure: Failure, requestId: string): Answer => ({
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

/** Text of another kind than JSON, without an envelope. */
export class PlainText {
  private readonly mediaType: string
  private readonly text: string

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType
    this.text = text
  }

  send(reply: FastifyReply): FastifyReply {
    return reply.headers({ ...headers, 'content-type': `${this.mediaType}; charset=utf-8` }).send(this.text)
  }
}
