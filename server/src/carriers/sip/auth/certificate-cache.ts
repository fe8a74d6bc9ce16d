// Certificates at addresses that callers name: fetched through the guard, bounded in bytes, time and number, and kept for a while.
import { fetchPage } from '../../../platform/fetch-page.ts'
import type { Guard } from '../../../platform/guard/guard.ts'
import { type CertificateChain, readCertificates } from './stir-certificates.ts'

// A caller waits; a chain of certificates has some 4 kB.
const limits = { ms: 2_000, bytes: 64 * 1024 }
const usualSeconds = 3_600
const longestSeconds = 86_400
// A server that is down is not asked by every call.
const failedSeconds = 10
// More providers than sign calls in one country.
const mostKept = 1_000
// Somebody who names a slow server for each call does not take every socket.
const mostFetches = 32

interface Entry {
  readonly chain: Promise<CertificateChain | null>
  /** Infinite while it is being fetched: others wait for the same. */
  untilMs: number
}

export class CertificateCache {
  readonly #guard: Guard
  readonly #nowMs: () => number
  readonly #entries = new Map<string, Entry>()
  #fetches = 0

  constructor(guard: Guard, nowMs: () => number) {
    this.#guard = guard
    this.#nowMs = nowMs
  }

  /** null: it is not to be had now. Never throws. */
  get(url: string): Promise<CertificateChain | null> {
    const known = this.#entries.get(url)
    if (known && known.untilMs > this.#nowMs()) return known.chain
    if (this.#fetches >= mostFetches) return Promise.resolve(null)
    const fetched = this.#fetch(url)
    const entry: Entry = { chain: fetched.then(({ chain }) => chain), untilMs: Number.POSITIVE_INFINITY }
    void fetched.then(({ seconds }) => {
      entry.untilMs = this.#nowMs() + seconds * 1_000
    })
    this.#keep(url, entry)
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

  #keep(url: string, entry: Entry): void {
    this.#entries.delete(url)
    this.#entries.set(url, entry)
    if (this.#entries.size > mostKept) this.#entries.delete(this.#entries.keys().next().value as string)
  }
}
