// Encrypts what must not be readable in a stolen database: AES-256-GCM, with a key for each workspace and purpose
// that is derived from the secret. A vault may know several secrets: it opens what any of them has sealed and seals
// with one.
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
  timingSafeEqual,
} from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { getOrMake } from './get-or-make.ts'

export interface Vault {
  /**
   * `workspaceId` is whose key is used; null: the installation's own, for what does not outlive a day. `place` binds
   * the ciphertext to its row: moved elsewhere, it does not decrypt.
   */
  seal(workspaceId: string | null, purpose: string, place: string, plain: string): Buffer
  open(purpose: string, place: string, sealed: Buffer): string
  /** An HMAC: proves that the text was signed here. */
  sign(purpose: string, text: string): Buffer
  /** Whether it was signed with a secret that this vault knows. */
  isSigned(purpose: string, text: string, signature: Buffer): boolean
  /** Adds a secret; what it has sealed can be opened from now on. Returns its fingerprint. */
  learn(secret: string): Buffer
  knows(fingerprint: Buffer): boolean
  /** Seals and signs with that secret from now on, which must be known. */
  sealWith(sealing: SealingForm): void
  /** The first bytes of everything that is sealed now, which tell it from what has yet to be sealed again. */
  readonly head: Buffer
  /** Identifies the first secret that the vault was given, without revealing it. */
  readonly fingerprint: Buffer
}

export interface SealingForm {
  /** Identifies the secret. */
  readonly fingerprint: Buffer
  /** False: one key for all workspaces, in the form that processes of release 0.1 can read. */
  readonly perWorkspace: boolean
}

// What is sealed has one of two forms:
//
//   mark (4) · secret (8) · workspace (16) · iv (12) · tag (16) · ciphertext     a key per workspace
//                                            iv (12) · tag (16) · ciphertext     one for all
//
// `secret` is the beginning of its fingerprint, `workspace` its id, or zeros for none.
const mark = Buffer.from('pky1')
const secretBytes = 8
const headBytes = mark.length + secretBytes
const workspaceBytes = 16
const ivBytes = 12
const tagBytes = 16

const nobody = Buffer.alloc(workspaceBytes)
// A few purposes in each of ten thousand workspaces; beyond that, memory is worth more than some microseconds.
const mostKeys = 50_000

/** The parts of a secret that are needed at hand. */
interface KnownSecret {
  readonly fingerprint: Buffer
  readonly head: Buffer
  /** Without a workspace: the one for all. */
  keyFor(purpose: string, workspace?: Buffer): KeyObject
}

export function openVault(secret: string, previous: readonly string[] = []): Vault {
  const first = prepare(secret)
  const known = [first, ...previous.map(prepare)]
  let current = { secret: first, perWorkspace: true }
  const withFingerprint = (fingerprint: Buffer) => known.find((one) => one.fingerprint.equals(fingerprint))

  return {
    fingerprint: first.fingerprint,
    get head() {
      return current.secret.head
    },
    learn(added) {
      const prepared = prepare(added)
      if (!withFingerprint(prepared.fingerprint)) known.push(prepared)
      return prepared.fingerprint
    },
    knows: (fingerprint) => withFingerprint(fingerprint) !== undefined,
    sealWith({ fingerprint, perWorkspace }) {
      const chosen = withFingerprint(fingerprint)
      if (!chosen) throw new Error('the vault does not have this secret')
      current = { secret: chosen, perWorkspace }
    },
    sign: (purpose, text) => signature(current.secret, purpose, text),
    isSigned: (purpose, text, given) =>
      known.some((one) => {
        const wanted = signature(one, purpose, text)
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      }),
    seal(workspaceId, purpose, place, plain) {
      const { secret: sealing, perWorkspace } = current
      if (!perWorkspace) return encrypt(sealing.keyFor(purpose), place, plain)
      const workspace = workspaceId === null ? nobody : bytesOf(workspaceId)
      const sealed = encrypt(sealing.keyFor(purpose, workspace), place, plain)
      return Buffer.concat([sealing.head, workspace, sealed])
    },
    open(purpose, place, sealed) {
      const head = sealed.subarray(0, headBytes)
      const sealing = known.find((one) => one.head.equals(head))
      if (sealing) {
        const workspace = sealed.subarray(headBytes, headBytes + workspaceBytes)
        const rest = sealed.subarray(headBytes + workspaceBytes)
        return decrypt(sealing.keyFor(purpose, workspace), place, rest)
      }
      for (const one of known) {
        const opened = tryDecrypt(one.keyFor(purpose), place, sealed)
        if (opened !== undefined) return opened
      }
      throw new Error(`${purpose}: it was sealed for another place, or with a secret that is not known here`)
    },
  }
}

// The derived keys by their secret: a vault is told of the same secret again with every notice of a rotation.
const roots = new Map<string, Buffer>()

/** Stretched, so that a weak secret cannot be brute-forced cheaply from a stolen database. */
const rootOf = (secret: string): Buffer => getOrMake(roots, secret, () => scryptSync(secret, 'parley', 32))

function prepare(secret: string): KnownSecret {
  const root = rootOf(secret)
  const fingerprint = Buffer.from(hkdfSync('sha256', root, '', 'fingerprint', 32))
  const keys = new BoundedMap<string, KeyObject>(mostKeys)
  return {
    fingerprint,
    head: Buffer.concat([mark, fingerprint.subarray(0, secretBytes)]),
    keyFor(purpose, workspace) {
      const name = workspace ? `${workspace.toString('latin1')}${purpose}` : purpose
      return getOrMake(keys, name, () =>
        createSecretKey(Buffer.from(hkdfSync('sha256', root, workspace ?? '', purpose, 32))),
      )
    },
  }
}

const bytesOf = (workspaceId: string): Buffer => Buffer.from(workspaceId.replaceAll('-', ''), 'hex')

const signature = (secret: KnownSecret, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret.keyFor(purpose)).update(text).digest()

function encrypt(key: KeyObject, place: string, plain: string): Buffer {
  const iv = freshIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function decrypt(key: KeyObject, place: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, ivBytes)
  const tag = sealed.subarray(ivBytes, ivBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place)).setAuthTag(tag)
  return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

/** Undefined if it was sealed with another key. */
function tryDecrypt(key: KeyObject, place: string, sealed: Buffer): string | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined
  try {
    return decrypt(key, place, sealed)
  } catch {
    return undefined
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
