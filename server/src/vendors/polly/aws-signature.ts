// Signature Version 4 of Amazon Web Services: the headers that prove who sends a request, for a body that is known whole.
import { createHash, createHmac } from 'node:crypto'

export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For credentials that expire. */
  readonly sessionToken?: string | undefined
}

export interface AwsRequest {
  readonly method: 'GET' | 'POST'
  /** Its path and query must be encoded as they are sent, without repeated names in the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly region: string
  /** As in `polly`. */
  readonly service: string
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The request's own headers and those that sign it. */
export function signedHeaders(
  request: AwsRequest,
  key: AwsKey,
  now = new Date(),
): Readonly<Record<string, string>> {
  const { method, url, body, region, service } = request
  const { host, pathname, searchParams } = new URL(url)
  const time = `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(key.sessionToken && { 'x-amz-security-token': key.sessionToken }),
  }
  const signed = Object.entries({ ...headers, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    pathname,
    [...searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`
  const secret = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`)
  const signature = hmac(secret, [algorithm, time, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    ...headers,
    authorization: `${algorithm} Credential=${key.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** encodeURIComponent leaves these as they are. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
