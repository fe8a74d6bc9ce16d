// The only door to the server: a question, its answer, and its refusal in words for a person.
import type { DataOf, dashboard, ErrorBody, Fault, Operation } from '@parley/contract'

/** The server said no, in a sentence for a person. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly faults: readonly Fault[]
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>, cause?: unknown) {
    super(body.message ?? 'The server gave an answer that the dashboard does not understand.', { cause })
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.faults = body.details ?? []
    this.requestId = body.request_id
  }
}

/** Belongs to the session; the server wants it on everything that changes something. */
let csrfToken = ''

export async function ask<O extends Operation>(
  method: O['method'],
  path: string,
  body?: unknown,
): Promise<DataOf<O>> {
  // A form brings its own type along.
  const isForm = body instanceof FormData
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    headers: {
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Refusal(
      0,
      { message: 'The server does not answer. Check your connection and try again.' },
      cause,
    )
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok || answer.status !== 'success') throw new Refusal(response.status, answer)
  // Some answers have no envelope.
  return 'data' in answer ? answer.data : answer
}

/** A file, with how much of it is there already: only the older way of asking tells. */
export function askWithFile<O extends Operation>(
  path: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<DataOf<O>> {
  const form = new FormData()
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/dashboard/api${path}`)
    request.setRequestHeader('x-csrf-token', csrfToken)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Refusal(0, { message: 'The upload broke off. Try again.' }))
    request.onload = () => {
      const answer = request.response ?? {}
      if (answer.status === 'success') resolve(answer.data)
      else reject(new Refusal(request.status, answer))
    }
    request.send(form)
  })
}

/** Keeps the token of a session that has just begun or was found. */
export const remember = (session: dashboard.Session): dashboard.Session => {
  csrfToken = session.csrf_token
  return session
}
