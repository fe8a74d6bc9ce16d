// Encrypts what must not be readable in a stolen database: AES-256-GCM with a key per purpose.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  scryptSync,
} from 'node:crypto'

export interface Vault {
  /** `place` binds the ciphertext to its row: moved elsewhere, it does not decrypt. */
  seal(purpose: string, place: string, plain: string): Buffer
  open(purpose: string, place: string, sealed: Buffer): string
  /** An HMAC: proves that the text was signed here. */
  sign(purpose: string, text: string): Buffer
  /** Identifies this secret without revealing it. */
  readonly fingerprint: Buffer
}

const ivBytes = 12
const tagBytes = 16

export function openVault(secret: string): Vault {
  // Stretched once at startup, so that a weak secret cannot be brute-forced cheaply from a stolen database.
  const root = scryptSync(secret, 'parley', 32)
  const keys = new Map<string, KeyObject>()
  const keyFor = (purpose: string): KeyObject => {
    const known = keys.get(purpose)
    if (known) return known
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', purpose, 32)))
    keys.set(purpose, made)
    return made
  }
  return {
    fingerprint: Buffer.from(hkdfSync('sha256', root, '', 'fingerprint', 32)),
    sign: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    // iv (12) · tag (16) · ciphertext
    seal(purpose, place, plain) {
      const iv = freshIv()
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text])
    },
    open(purpose, place, sealed) {
      const iv = sealed.subarray(0, ivBytes)
      const tag = sealed.subarray(ivBytes, ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), iv)
        .setAAD(Buffer.from(place))
        .setAuthTag(tag)
      return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

// Random bytes for many seals at a time: requesting twelve costs as much as requesting four thousand.
const pool = Buffer.alloc(ivBytes * 340)
let drawn = pool.length

function freshIv(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += ivBytes
  return Buffer.from(pool.subarray(drawn - ivBytes, drawn))
}

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer')
