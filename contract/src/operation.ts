// One operation of the interface: what goes in, what comes out, and the words that describe it.
import type { z } from 'zod'
import type { Address, Method } from './addresses.ts'
import { measured } from './measured.ts'

/** A request part: an object of named fields. */
type Part = z.ZodObject

export interface Example {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** The fields of a multipart/form-data body without its file. */
  readonly form?: Readonly<Record<string, string | boolean>>
  readonly data?: unknown
  /** The answer as text, by media type, if it may be text too. */
  readonly texts?: Readonly<Record<string, string>>
}

export interface Operation<
  Params extends Part | undefined = Part | undefined,
  Query extends Part | undefined = Part | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Data extends z.ZodType = z.ZodType,
  /** The method. The compiler knows it: an operation that only reads is given nothing to write with. */
  M extends Method = Method,
> extends Address<string, string, M> {
  readonly tag: string
  readonly summary: string
  /** The description in Markdown, required in a served document. Names of other operations in backticks become links. */
  readonly description?: string | undefined
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The body as multipart/form-data, if the operation accepts that too. Such a body is streamed, whatever its size. */
  readonly form: Part | undefined
  /** `required`: the body is a file, in a form or raw. `allowed`: JSON, or a form with a file beside the same fields. */
  readonly file: 'none' | 'allowed' | 'required'
  readonly status: 200 | 201 | 202
  /**
   * `json`: in the envelope. Without one: `bare`, an object as it is; `csv`, a file; `event-stream`, server-sent
   * events until the stream ends. `json-or-text`: as the query's format says.
   */
  readonly answers: 'json' | 'bare' | 'csv' | 'event-stream' | 'json-or-text'
  /** The `data` of the envelope, or the whole answer where there is no envelope. */
  readonly data: Data
  /** Required of an operation in a served document, and checked against its schemas. */
  readonly example?: Example
}

type ParsedPart<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface InputOf<O extends Operation> {
  params: ParsedPart<O['params']>
  query: ParsedPart<O['query']>
  body: ParsedPart<O['body']>
}

export type DataOf<O extends Operation> = z.input<O['data']>

/** What a caller of the operation sends. */
export type BodyOf<O extends Operation> = O['body'] extends z.ZodType ? z.input<O['body']> : undefined

type OperationDescription<O extends Operation> = Pick<
  O,
  'id' | 'method' | 'path' | 'access' | 'tag' | 'summary' | 'data'
> &
  Partial<
    Pick<O, 'params' | 'query' | 'body' | 'form' | 'file' | 'status' | 'answers' | 'example' | 'description'>
  >

export function operation<
  Data extends z.ZodType,
  Params extends Part | undefined = undefined,
  Query extends Part | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  M extends Method = Method,
>(
  described: OperationDescription<Operation<Params, Query, Body, Data, M>>,
): Operation<Params, Query, Body, Data, M> {
  const { params, query, body, form } = described
  for (const received of [params, query, body, form]) if (received) measured(received)
  return {
    status: 200,
    answers: 'json',
    file: 'none',
    params: undefined as Params,
    query: undefined as Query,
    body: undefined as Body,
    form: undefined,
    ...described,
  }
}
