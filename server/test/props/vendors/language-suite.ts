// The language of an agent as a company gets it over the wire, in the company's own way of writing it.
import { expect, it } from 'vitest'
import { type Languages, speaksLanguage } from '../../../src/engines/language-code.ts'
import { makeFrame } from '../../../src/media/frame.ts'
import type { SttVendor, TtsVendor } from '../../../src/ports/vendor.ts'
import { cleanupsHere } from './cleanups-here.ts'
import type { VendorServer } from './vendor-server.ts'

/** Every way in which an agent may say it. */
const languages = ['en', 'en-US', 'pt-BR', 'hi', 'zh', 'pt_br', 'Portuguese', 'de-AT', 'auto'] as const

export interface LanguagePlace<Vendor> {
  readonly vendor: Vendor
  readonly credentials: Readonly<Record<string, string>>
  readonly open: () => Promise<VendorServer>
}

export interface WrittenLanguages {
  /** Finds the language in all that the vendor was sent. */
  readonly where: RegExp
  /** In the order of `languages`; empty: nothing is sent; `-`: it does not know the language. */
  readonly written: string
}

export const inQuery = (name: string) => new RegExp(`[?&]${name}=([^&\n]*)`)
export const inJson = (name: string) => new RegExp(`"${name}":\\[?"([^"]*)"`)

/** Addresses, messages and settings, as the loopback servers of the vendors keep them. */
function sentTo(server: VendorServer): string {
  const { asked, ...kept } = server as VendorServer & Readonly<Record<string, unknown>>
  const addresses = asked.map(({ url }) => `${url.pathname}${url.search}`)
  const {
    messages = [],
    settings = [],
    configs = [],
    contexts = [],
  } = kept as Record<string, readonly unknown[]>
  const told = [...settings, ...configs, ...contexts].map((one) => JSON.stringify(one))
  return [...addresses, ...messages, ...told].join('\n')
}

async function languagesWritten(
  cleanups: (() => unknown)[],
  open: () => Promise<VendorServer>,
  where: RegExp,
  known: Languages,
  tell: (baseUrl: string, language: string) => Promise<void>,
): Promise<string> {
  const written: string[] = []
  for (const language of languages) {
    if (!speaksLanguage(known, language)) {
      written.push('-')
      continue
    }
    const server = await open()
    cleanups.push(() => server.close())
    await tell(server.baseUrl, language)
    const isTold = () => {
      const { settings, configs } = server as unknown as Record<string, unknown[] | undefined>
      return (settings ?? configs ?? server.asked).length > 0
    }
    await expect.poll(isTold).toBe(true)
    written.push(where.exec(sentTo(server))?.[1] ?? '')
  }
  return written.join()
}

export function transcriberLanguages(
  { vendor, credentials, open }: LanguagePlace<SttVendor>,
  { where, written }: WrittenLanguages,
): void {
  const cleanups = cleanupsHere()
  it(`the language that the transcriber is told is in the way of ${vendor.label}`, async () => {
    const tell = async (baseUrl: string, language: string) => {
      const stop = new AbortController()
      cleanups.push(() => stop.abort())
      const stream = vendor.open({ credentials, baseUrl }).open(
        {
          model: '',
          language,
          rateHz: 8_000,
          samplingRateHz: 16_000,
          encoding: 'linear16',
          task: 'transcribe',
          stream: false,
          endpointingMs: 500,
          keyterms: [],
        },
        stop.signal,
      )
      void (async () => {
        for await (const _ of stream);
      })().catch(() => {})
      stream.hear?.({ type: 'speech-start', atMs: 0 })
      for (let n = 0; n < 10; n++) stream.write(makeFrame(8_000))
      stream.finalize?.()
    }
    expect(await languagesWritten(cleanups, open, where, vendor.abilities.languages, tell)).toBe(written)
  })
}

export function synthesizerLanguages(
  { vendor, credentials, open }: LanguagePlace<TtsVendor>,
  { where, written }: WrittenLanguages,
): void {
  const cleanups = cleanupsHere()
  it(`the language that the synthesizer is told is in the way of ${vendor.label}`, async () => {
    const tell = async (baseUrl: string, language: string) => {
      const engine = vendor.open({ credentials, baseUrl })
      cleanups.push(() => engine.close?.())
      const stream = engine.open({ voice: '', rateHz: 16_000, language }, new AbortController().signal)
      stream.write('Yes.')
      stream.finish()
      for await (const _ of stream);
    }
    expect(await languagesWritten(cleanups, open, where, vendor.abilities.languages, tell)).toBe(written)
  })
}
