// What a company is told for an agent with certain settings, and what comes back, for tests of one company.
import { expect } from 'vitest'
import type { SynthesizerOptions } from '../../../src/ports/synthesizer.ts'
import type { TranscriberOptions, TranscriptEvent } from '../../../src/ports/transcriber.ts'
import type { SttVendor, TtsVendor } from '../../../src/ports/vendor.ts'
import { cleanupsHere } from './cleanups-here.ts'
import type { SttServer } from './stt-suite.ts'
import type { TtsServer } from './tts-suite.ts'

const credentials = { apiKey: 'secret-of-the-vendor' }
const usual = { model: '', rateHz: 8_000, endpointingMs: 700 } as const

/** Opens streams and sayings in the file that is being read. */
export function vendorTalk() {
  const cleanups = cleanupsHere()

  /** Opens a stream with these settings. */
  async function listen<Server extends SttServer>(
    vendor: SttVendor,
    opening: Promise<Server>,
    options: Partial<TranscriberOptions>,
  ) {
    const server = await opening
    const stop = new AbortController()
    const stream = vendor
      .open({ credentials, baseUrl: server.baseUrl })
      .open({ ...usual, ...options }, stop.signal)
    cleanups.push(
      () => server.close(),
      () => stop.abort(),
    )
    const events: TranscriptEvent[] = []
    void (async () => {
      for await (const event of stream) if (event.type !== 'alive') events.push(event)
    })()
    await expect.poll(() => server.connections.size).toBe(1)
    const query = server.asked[0]?.url.searchParams ?? new URLSearchParams()
    return { server, stream, events, query }
  }

  /** Says something with these settings. */
  async function say<Server extends TtsServer>(
    vendor: TtsVendor,
    opening: Promise<Server>,
    options: Partial<SynthesizerOptions>,
  ): Promise<{ server: Server }> {
    const server = await opening
    const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine.close?.(),
    )
    const stream = engine.open({ voice: '', rateHz: 8_000, ...options }, new AbortController().signal)
    stream.write('Ask for Nguyen.')
    stream.finish()
    for await (const _ of stream);
    return { server }
  }
  return { cleanups, listen, say }
}

export const queryOf = ({ asked }: TtsServer) => Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])
