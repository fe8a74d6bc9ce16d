// Certificates at addresses that callers name: fetched through the guard, limited in size, time and number, and cached.
import { RecentMap } from '../../../platform/bounded-map.ts'
import { fetchPage } from '../../../platform/fetch-page.ts'
import type { Guard } from '../../../platform/guard/guard.ts'
import { type CertificateChain, readCertificates } from './stir-certificates.ts'

// Short, because a caller waits; a chain of certificates has some 4 kB.
const limits = { ms: 2_000, bytes: 64 * 1024 }
const usualSeconds = 3_600
const longestSeconds = 86_400
// How long a failure is cached, so that not every call asks a server that is down.
const failedSeconds = 10
// More than the providers that sign calls in one country.
const mostKept = 1_000
// A limit against callers who name a slow server in each call.
const mostFetches = 32

interface Entry {
  readonly chain: Promise<CertificateChain | null>
  /** Infinite while the certificate is being fetched: other calls wait for the same request. */
  untilMs: number
}

export class CertificateCache {
  readonly #guard: Guard
  readonly #nowMs: () => number
  readonly #entries = new RecentMap<string, Entry>(mostKept)
  #fetches = 0

  constructor(guard: Guard, nowMs: () => number) {
    this.#guard = guard
    this.#nowMs = nowMs
  }

  /** null: the certificate cannot be fetched now. Never rejects. */
  get(url: string): Promise<CertificateChain | null> {
    const known = this.#entries.get(url)
    if (known && known.untilMs > this.#nowMs()) return known.chain
    if (this.#fetches >= mostFetches) return Promise.resolve(null)
    const fetched = this.#fetch(url)
    const entry: Entry = { chain: fetched.then(({ chain }) => chain), untilMs: Number.POSITIVE_INFINITY }
    void fetched.then(({ seconds }) => {
      entry.untilMs = this.#nowMs() + seconds * 1_000
    })
    this.#entries.set(url, entry)
    return entry.chain
  }

  async #fetch(url: string): Promise<{ chain: CertificateChain | null; seconds: number }> {
    this.#fetches++
    try {
      const { content, maxAgeSeconds } = await fetchPage(
        this.#guard,
        url,
        limits,
        new AbortController().signal,
      )
      const chain = readCertificates(content)
      const seconds = Math.min(maxAgeSeconds ?? usualSeconds, longestSeconds)
      return { chain, seconds: chain ? seconds : failedSeconds }
    } catch {
      return { chain: null, seconds: failedSeconds }
    } finally {
      this.#fetches--
    }
  }
}
