// What loopback transcribers have in common: audio in, words out, to every client or as the client's audio has it.
import type { EndOfTurn } from '../../../src/ports/transcriber.ts'
import type { SttServer } from './stt-suite.ts'
import { openVendorServer, type VendorClient, type VendorRules } from './vendor-server.ts'
import { type EarsFormat, samplesOf, WordEars } from './word-ears.ts'

/** How the vendor tells words to one client. */
export interface SttVoice {
  partial(text: string, endMs: number): void
  final(text: string, endMs: number): void
  /** Its own judgement of these words, if it detects turns. */
  turn?(is: EndOfTurn['is'], text: string): void
}

/** What the vendor's file reports of one client. */
export interface SttEars {
  /** What the client asked for, by the vendor's own names. */
  wants(settings: Readonly<Record<string, unknown>>, format: EarsFormat): void
  hear(sound: Buffer): void
  /** `finalize`, `keep-alive`, `bye` and so on. */
  told(what: string): void
}

export interface SttProtocol extends Pick<VendorRules, 'knows' | 'request'> {
  talk(client: VendorClient, ears: SttEars): SttVoice
}

export interface HearingServer extends SttServer {
  /** The settings of every client, in order. */
  readonly settings: Readonly<Record<string, unknown>>[]
  /** Whether it transcribes what it is sent, instead of what the test says. */
  understands: boolean
}

/** A vendor whose models may detect turns. */
export interface TurnServer extends HearingServer {
  /** Tells every client what the vendor makes of these words of a turn. */
  turn(is: EndOfTurn['is'], text: string): void
}

export async function openSttServer({ knows, request, talk }: SttProtocol): Promise<TurnServer> {
  const voices = new Set<SttVoice>()
  const server: TurnServer = Object.assign(
    await openVendorServer({
      knows,
      ...(request && { request }),
      socket(client) {
        const voice = talk(
          client,
          earsOf(server, () => voice),
        )
        voices.add(voice)
      },
    }),
    {
      told: [],
      sound: [],
      rateHz: 0,
      settings: [],
      understands: false,
      partial: (text: string) => {
        for (const voice of voices) voice.partial(text, 0)
      },
      final: (text: string, endMs = 0) => {
        for (const voice of voices) voice.final(text, endMs)
      },
      turn: (is: EndOfTurn['is'], text: string) => {
        for (const voice of voices) voice.turn?.(is, text)
      },
    },
  )
  return server
}

function earsOf(server: HearingServer, voice: () => SttVoice): SttEars {
  let ears: WordEars | undefined
  let encoding: EarsFormat['encoding'] = 'linear16'
  return {
    wants(settings, format) {
      server.settings.push(settings)
      server.rateHz = format.rateHz
      encoding = format.encoding
      ears = new WordEars(format, ({ type, text, endMs }) => voice()[type](text, endMs))
    },
    hear(sound) {
      server.sound.push(...samplesOf(sound, encoding))
      if (server.understands) ears?.hear(sound)
    },
    told(what) {
      server.told.push(what)
      if (server.understands && what === 'finalize') ears?.finalize()
    },
  }
}

/** The query of a socket's address, with numbers as numbers. */
export const queryOf = ({ url }: VendorClient): Readonly<Record<string, string>> =>
  Object.fromEntries(url.searchParams)
