// One request to the server and its answer. Only api.ts uses this file.
import type * as contract from '@parley/contract'
import type { DataOf, dashboard, ErrorBody, Fault, Operation } from '@parley/contract'
import {
  type Address,
  fillPath,
  mountPaths,
  type ParameterOf,
  type ParametersOf,
} from '@parley/contract/addresses'

/** The server refused a request. The message is a sentence for a person. */
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

  /** The same refusal, for a form whose fields are in other places than on the wire. */
  placed(place: (fault: Fault) => Fault): Refusal {
    const { status, message, requestId } = this
    const code = this.code as ErrorBody['code']
    const details = this.faults.map(place)
    return new Refusal(status, { message, code, details, ...(requestId && { request_id: requestId }) }, this)
  }
}

/** The path of an operation as seen by this browser. */
export interface Place<Id extends string = string> {
  readonly id: Id
  readonly method: Address['method']
  readonly url: string
}

type ParametersIn<Path extends string> =
  ParameterOf<Path> extends never ? [] : [parameters: ParametersOf<Path>]

/** An operation of the dashboard's own API. */
export const own = <Id extends string, Path extends string>(
  { id, method, path }: Address<Id, Path>,
  ...parameters: ParametersIn<Path>
): Place<Id> => ({ id, method, url: mountPaths.dashboard + fillPath(path, ...parameters) })

/** An operation of the Voice AI interface or of speech-to-text, in a workspace. */
export const within = <Id extends string, Path extends string>(
  workspaceId: string,
  { id, method, path }: Address<Id, Path>,
  ...parameters: ParametersIn<Path>
): Place<Id> => {
  const workspace = fillPath(mountPaths.workspace, { workspace_id: workspaceId })
  return { id, method, url: mountPaths.dashboard + workspace + fillPath(path, ...parameters) }
}

export type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(url: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length > 0 ? `${url}?${text}` : url
}

type Contract = typeof contract
type OperationAt<Id> = Id extends keyof Contract
  ? Contract[Id]
  : Id extends keyof Contract['dashboard']
    ? Contract['dashboard'][Id]
    : never

/** The response type of an operation, by its name in the contract. */
type DataAt<Id> = OperationAt<Id> extends infer O extends Operation ? DataOf<O> : never

/** The CSRF token of the session. The server requires it for every request that changes something. */
let csrfToken = ''

export async function ask<Id extends string>(
  { method, url }: Place<Id>,
  { query = {}, body }: { query?: Query; body?: unknown } = {},
): Promise<DataAt<Id>> {
  // fetch sets the content type of a form, with its boundary.
  const isForm = body instanceof FormData
  const response = await fetch(withQuery(url, query), {
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

/** Reads from an address that is no operation of the contract, such as a signed one. */
export const askAt = <Data>(url: string): Promise<Data> =>
  ask({ id: '', method: 'GET', url }) as Promise<unknown> as Promise<Data>

/** Uploads a file. With XMLHttpRequest, because fetch does not report the progress of an upload. */
export function askWithFile<Id extends string>(
  { method, url }: Place<Id>,
  file: File,
  onProgress: (share: number) => void,
): Promise<DataAt<Id>> {
  const form = new FormData()
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
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

/** Server-sent events. The browser reconnects by itself until they are closed. */
export const openEvents = ({ url }: Place): EventSource => new EventSource(url)

/** Opens a WebSocket whose binary messages come as buffers. */
export function openSocket(path: string): WebSocket {
  const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
  socket.binaryType = 'arraybuffer'
  return socket
}

/** Keeps the token of a session that has just begun or was found. */
export const remember = (session: dashboard.Session): dashboard.Session => {
  csrfToken = session.csrf_token
  return session
}
