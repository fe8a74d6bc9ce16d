// Amazon Polly: every request is signed (Signature Version 4).
import { createHash, createHmac } from 'node:crypto'
import type { VendorAccount, VendorCheck } from '../../ports/vendor.ts'
import { companyAccount } from '../over/account.ts'
import { hostPart } from '../over/wire/vendor-address.ts'

export const account = companyAccount('polly', {
  host: ({ region }) => `polly.${hostPart(region) || 'us-east-1'}.amazonaws.com`,
  headersOf: () => ({}),
  check: (given) => signedRequest(given, { method: 'GET', path: '/v1/voices' }),
})

interface UnsignedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export async function signedRequest(
  given: VendorAccount,
  { method, path, headers = {}, body = '' }: UnsignedRequest,
): Promise<Omit<VendorCheck, 'body'>> {
  // Loaded with the first request: it would take 20 ms of every start.
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const { accessKeyId = '', secretAccessKey = '', region = '', sessionToken } = given.credentials
  const url = account.url('https', given, path)
  const { host, hostname, pathname, protocol } = new URL(url)
  const signer = new SignatureV4({
    service: 'polly',
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    sha256: Sha256,
  })
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path: pathname,
    headers: { ...headers, host },
    body,
  })
  const { host: _, ...sent } = signed.headers
  return { method, url, headers: sent }
}

type HashInput = string | ArrayBuffer | ArrayBufferView

const bytesOf = (data: HashInput): Buffer =>
  ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data as string)

/** Node's hash, in the form that the library asks for. */
class Sha256 {
  readonly #hash

  constructor(secret?: HashInput) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: HashInput): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {}
}
