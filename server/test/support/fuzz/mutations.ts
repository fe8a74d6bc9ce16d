// Mutations of requests: each turns a valid request into one that is invalid, or nearly so.
import type { OutgoingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { anything, type Json } from '../arbitrary.ts'
import type { Credentials, FuzzedRequest } from './request.ts'

/** Every value inside a JSON value, as its parent and its key there. */
function placesIn(value: Json, found: [holder: Record<string, Json>, key: string][] = []) {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    found.push([value as Record<string, Json>, key])
    placesIn(inner, found)
  }
  return found
}

/** Changes a request. */
export type Spoil = (sent: FuzzedRequest) => FuzzedRequest

/** Changes one value in the body; `change` gets its parent and key. */
const inBody = (at: number, change: (holder: Record<string, Json>, key: string) => void): Spoil => {
  return (sent) => {
    const root = { body: JSON.parse(typeof sent.body === 'string' ? sent.body : '{}') as Json }
    const places = placesIn(root)
    const [holder, key] = places[at % places.length] ?? [root, 'body']
    change(holder, key)
    return { ...sent, body: JSON.stringify(root.body) ?? '' }
  }
}

const place = fc.nat({ max: 200 })
const marked = '"put the number here"'
const put =
  (value: Json) =>
  (holder: Record<string, Json>, key: string): void => {
    holder[key] = value
  }

const withHeaders =
  (headers: OutgoingHttpHeaders): Spoil =>
  (sent) => ({ ...sent, headers: { ...sent.headers, ...headers } })

const hostileText = fc.constantFrom('a\0b', '\0', '\ud800', 'x\udfff', '\udc00\ud800')
const hugeNumber = fc.constantFrom(
  '1e999',
  '-1e999',
  '1E400',
  '9'.repeat(400),
  `-${'1'.repeat(310)}`,
  '1e308',
)
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)) })
  .map((made) => made.replaceAll('\x7f', '').trim())

/** Every kind of mutation, by its name. */
export const spoilsOf = ({
  boundKey,
  unboundKey,
  workspaceId,
}: Credentials): Record<string, fc.Arbitrary<Spoil>> => ({
  'a value of any type': fc.tuple(place, anything).map(([at, value]) => inBody(at, put(value))),
  'a missing key': place.map((at) =>
    inBody(at, (holder, key) => {
      if (Array.isArray(holder)) holder.pop()
      else delete holder[key]
    }),
  ),
  'an unknown key': fc.tuple(place, fc.string(), anything).map(([at, name, value]) =>
    inBody(at, (holder) => {
      holder[`unknown ${name}`] = value
    }),
  ),
  'a __proto__ key': fc.tuple(place, anything).map(([at, value]) =>
    inBody(at, (holder) => {
      Object.defineProperty(holder, '__proto__', { value, enumerable: true })
    }),
  ),
  'text that is none': fc.tuple(place, hostileText).map(([at, text]) => inBody(at, put(text))),
  'a key that is none': fc.tuple(place, hostileText).map(([at, text]) =>
    inBody(at, (holder) => {
      holder[text] = 1
    }),
  ),
  'a huge number': fc.tuple(place, hugeNumber).map(([at, digits]) => {
    const mark = inBody(at, put(JSON.parse(marked)))
    return (sent) => {
      const made = mark(sent)
      return { ...made, body: String(made.body).replace(marked, digits) }
    }
  }),
  'deep nesting': fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom('[', '{"a":'))
    .map(([depth, open]) => (sent) => ({
      ...sent,
      body: `{"agent_config":${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}}`,
    })),
  'truncated JSON': fc.nat({ max: 400 }).map((length) => (sent) => ({
    ...sent,
    body: (typeof sent.body === 'string' ? sent.body : '{"a":1}').slice(0, length),
  })),
  'random bytes': fc.uint8Array({ maxLength: 200 }).map((body) => (sent) => ({ ...sent, body })),
  'any JSON': anything.map((body) => (sent) => ({ ...sent, body: JSON.stringify(body) })),
  'another content type': fc
    .oneof(
      headerText,
      fc.constantFrom(
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json-patch+json',
        'application/json; charset=utf-16',
        'application/json;;',
        'APPLICATION/JSON',
        '*/*',
        '/',
        ';',
      ),
    )
    .map((type) => withHeaders({ 'content-type': type })),
  'another content encoding': fc
    .constantFrom('gzip', 'br', 'identity', '')
    .map((encoding) => withHeaders({ 'content-encoding': encoding })),
  'no key': fc.constant<Spoil>((sent) => {
    const { 'x-api-key': _, authorization: __, ...headers } = sent.headers
    return { ...sent, headers }
  }),
  'another key': fc
    .oneof(
      headerText.map((key) => ({ 'x-api-key': key })),
      fc.constantFrom<OutgoingHttpHeaders[]>(
        { 'x-api-key': [boundKey, boundKey] },
        { 'x-api-key': [boundKey, unboundKey] },
        { authorization: `Bearer ${boundKey}` },
        { authorization: 'Basic Og==' },
        { 'x-api-key': unboundKey },
        { 'x-api-key': '', 'svc-api-key': unboundKey, 'x-workspace-id': workspaceId },
      ),
    )
    .map(withHeaders),
  'another workspace': fc
    .oneof(headerText, fc.uuid(), fc.constant<string[]>([workspaceId, workspaceId]))
    .map((named) => withHeaders({ 'x-workspace-id': named })),
  'another idempotency key': fc
    .oneof(headerText, fc.constant<string[]>(['a', 'b']), fc.constant('x'.repeat(5_000)))
    .map((key) => withHeaders({ 'idempotency-key': key })),
  'another request id': headerText.map((id) => withHeaders({ 'x-request-id': id })),
  'a time at the edge of what RFC 3339, JavaScript and PostgreSQL take': fc
    .constantFrom(
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+23:59',
      '9999-12-31T23:59:59-23:59',
      '2026-01-31T09:30:00+16:00',
      '2026-01-31T09:30:00-23:59',
      '2026-02-30T00:00:00Z',
      '2026-06-30T23:59:60Z',
    )
    .map((time) => (sent) => ({
      ...sent,
      query: sent.query.map(([name, value]) => [name, /^\d{4}-\d\d-/.test(value) ? time : value]),
      ...(typeof sent.body === 'string' && {
        body: sent.body.replaceAll(/(?<=")\d{4}-\d\d-\d\dT[^"]*(?=")/g, time),
      }),
    })),
  // The id is not empty, since that would be the address of the list.
  'another id': fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom(
        '.',
        '..',
        '0',
        'null',
        `${workspaceId}0`,
        workspaceId.slice(1),
        `{${workspaceId}}`,
        ` ${workspaceId}`,
        workspaceId.replaceAll('-', ''),
        '\0',
        "' OR 1=1 --",
        'x'.repeat(3_000),
      ),
    )
    .map((id) => (sent) => ({ ...sent, rawParam: encodeURIComponent(id) })),
  'an id that is no part of an address': fc
    .constantFrom('%', '%zz', '%00', '%2e%2e', '%ff', '/', '//', 'a/b', '%2f')
    .map((rawParam) => (sent) => ({ ...sent, rawParam })),
  'another query': fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom('page', 'limit', 'page[]', '__proto__', 'constructor'), fc.string()),
        fc.oneof(
          fc.constantFrom(
            '0',
            '-1',
            '1.5',
            '1e3',
            '101',
            '9007199254740991',
            '9007199254740993',
            '9'.repeat(400),
            '',
            ' 1',
            'NaN',
          ),
          fc.string({ unit: 'binary' }),
          fc.nat().map(String),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((query) => (sent) => ({ ...sent, query })),
})
