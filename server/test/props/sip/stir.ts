// Authorities, providers with certificates of theirs, and calls that they sign (STIR/SHAKEN), for tests.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whoever has a certificate; `file` is the prefix of its files. */
export interface CertifiedKey {
  readonly pem: string
  readonly key: string
  readonly file: string
}

/** What TNAuthList names: a provider by its code, or a single number. */
const provider = 'DER:30:08:A0:06:16:04:37:30:39:4A'
const oneNumber = 'DER:30:0F:A2:0D:16:0B:31:35:35:35:31:32:33:34:35:36:37'

export class Authorities {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-stir-'))
  #made = 0

  root = (): CertifiedKey => this.#certify(null, ['basicConstraints=critical,CA:TRUE'])
  between = (issuer: CertifiedKey): CertifiedKey =>
    this.#certify(issuer, ['basicConstraints=critical,CA:TRUE'])
  provider = (issuer: CertifiedKey): CertifiedKey => this.#leaf(issuer, provider)
  customer = (issuer: CertifiedKey): CertifiedKey => this.#leaf(issuer, oneNumber)

  close(): void {
    rmSync(this.#folder, { recursive: true })
  }

  #leaf(issuer: CertifiedKey, numbers: string): CertifiedKey {
    return this.#certify(issuer, ['basicConstraints=critical,CA:FALSE', `1.3.6.1.5.5.7.1.26=${numbers}`])
  }

  #certify(issuer: CertifiedKey | null, extensions: string[]): CertifiedKey {
    const name = `c${++this.#made}`
    const file = join(this.#folder, name)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    writeFileSync(`${file}.key`, key)
    writeFileSync(`${file}.cnf`, '[req]\ndistinguished_name = dn\n[dn]\n')
    execFileSync('openssl', [
      ...[
        'req',
        '-x509',
        '-config',
        `${file}.cnf`,
        '-key',
        `${file}.key`,
        '-subj',
        `/CN=${name}`,
        '-days',
        '30',
      ],
      ...(issuer ? ['-CA', `${issuer.file}.pem`, '-CAkey', `${issuer.file}.key`] : []),
      ...extensions.flatMap((extension) => ['-addext', extension]),
      ...['-out', `${file}.pem`],
    ])
    return { pem: readFileSync(`${file}.pem`, 'utf8'), key, file }
  }
}

export interface SignedIdentity {
  readonly by: CertifiedKey
  readonly x5u: string
  readonly now: Date
  readonly header?: object
  readonly claims?: object
}

/** An Identity header of +15551234567 calling +4930901820. */
export function identityOf({ by, x5u, now, header = {}, claims = {} }: SignedIdentity): string {
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const whole = {
    attest: 'A',
    dest: { tn: ['4930901820'] },
    iat: Math.floor(now.getTime() / 1_000) - 10,
    orig: { tn: '15551234567' },
    origid: '123e4567-e89b-12d3-a456-426655440000',
    ...claims,
  }
  const signed = `${coded({ alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u, ...header })}.${coded(whole)}`
  const key = { key: by.key, dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
  return `${signed}.${signature};info=<${x5u}>;alg=ES256;ppt="shaken"`
}
