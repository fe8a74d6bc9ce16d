// Addresses that work without a key until they expire: for browsers, which send no API key.
import { z } from 'zod'
import type { Vault } from '../../platform/secrets.ts'

export interface SignedLinksOptions {
  readonly vault: Vault
  /** Separates the signatures of different kinds of links. */
  readonly purpose: string
  /** Without a trailing slash; known once the service listens. */
  readonly publicUrl: () => string
  readonly urlSeconds: number
}

export interface Link {
  readonly url: string
  readonly expiry: string
}

const Query = z.looseObject({ expires: z.string().regex(/^\d{1,12}$/), signature: z.string().max(100) })

export function signedLinks({ vault, purpose, publicUrl, urlSeconds }: SignedLinksOptions) {
  const textOf = (subject: string, expires: string): string => `${subject}.${expires}`

  return {
    /** The subject is what the signature is about, and part of the path. */
    link(path: string, subject: string): Link {
      const expires = Math.floor(Date.now() / 1000) + urlSeconds
      const signature = vault.sign(purpose, textOf(subject, String(expires))).toString('base64url')
      return {
        url: `${publicUrl()}${path}?expires=${expires}&signature=${signature}`,
        expiry: new Date(expires * 1000).toISOString(),
      }
    },
    /** Whether this query was made by `link` for the subject, and has not expired. */
    isValid(subject: string, query: unknown): boolean {
      const parsed = Query.safeParse(query)
      if (!parsed.success) return false
      const { expires, signature } = parsed.data
      const given = Buffer.from(signature, 'base64url')
      const isGenuine = vault.isSigned(purpose, textOf(subject, expires), given)
      return isGenuine && Number(expires) * 1000 > Date.now()
    },
  }
}

export type SignedLinks = ReturnType<typeof signedLinks>
