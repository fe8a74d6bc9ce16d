// Signs in to Google with a service account: a token that the account signs itself, so that nobody has to be asked for one.
import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'

const ServiceAccount = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
})

// The longest that Google accepts.
const validSeconds = 3_600

/**
 * A bearer token. `serviceAccount` is the JSON that Google's console hands out; `audience` is the address of the interface,
 * as in https://speech.googleapis.com/.
 */
export function googleJwt(serviceAccount: string, audience: string, now = new Date()): string {
  const account = read(serviceAccount)
  const issuedAt = Math.floor(now.getTime() / 1000)
  const head = encoded({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
  const claims = encoded({
    iss: account.client_email,
    sub: account.client_email,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + validSeconds,
  })
  const signature = sign('RSA-SHA256', Buffer.from(`${head}.${claims}`), keyOf(account.private_key))
  return `${head}.${claims}.${signature.toString('base64url')}`
}

function read(serviceAccount: string): z.infer<typeof ServiceAccount> {
  try {
    return ServiceAccount.parse(JSON.parse(serviceAccount))
  } catch {
    // The cause would repeat the secret.
    throw new Error('The service account of Google must be its JSON file, with client_email and private_key.')
  }
}

function keyOf(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error('The private_key in the service account of Google is not a key.')
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
