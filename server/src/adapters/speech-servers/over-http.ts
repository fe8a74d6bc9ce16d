// What all servers that transcribe recordings have in common: pieces, one after the other, kept in the notes, stitched.
import { Agent, type FormData, request } from 'undici'
import { z } from 'zod'
import type {
  SpeechEngine,
  SpeechFindings,
  SpeechJob,
  SpeechRefusal,
  SpeechSegment,
  SpeechWishes,
} from '../../ports/speech.ts'
import { type Piece, piecesOf, wavOf } from './pieces.ts'

export interface SpeechServer {
  readonly baseUrl: string
  readonly model: string | undefined
  readonly apiKey: string | undefined
}

export interface Asking {
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: Buffer | FormData
}

/** One vendor: what it cannot do, how it is asked, and how its answer is read. */
export interface SpeechVendor {
  readonly name: string
  /** The longest piece that it takes, or that keeps its count of speakers; infinite: whole recordings. */
  readonly pieceSeconds: number
  refusals(wishes: SpeechWishes): readonly SpeechRefusal[]
  ask(wav: Buffer, wishes: SpeechWishes): Asking
  /** Times from the beginning of the piece. Throws one sentence when it cannot be read. */
  read(answer: unknown, wishes: SpeechWishes, pieceSeconds: number): SpeechFindings
}

// A piece of ten minutes takes a slow server some minutes.
const patienceMs = 15 * 60 * 1000
// The reason of a refusal stands at its beginning.
const mostReasonChars = 300

const Kept = z.object({
  language: z.string().nullable(),
  languageConfidence: z.number().nullable(),
  segments: z.array(z.custom<SpeechSegment>()),
})

export function speechOverHttp(vendor: SpeechVendor, { apiKey }: SpeechServer): SpeechEngine {
  const connections = new Agent({ keepAliveTimeout: 60_000 })

  const askFor = async (job: SpeechJob, piece: Piece, signal: AbortSignal): Promise<SpeechFindings> => {
    const wav = await wavOf(job.sound.pcmFile, piece)
    const { url, headers, body } = vendor.ask(wav, job.wishes)
    const patient = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const answer = await request(url, {
      dispatcher: connections,
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      body,
      signal: patient,
      headersTimeout: 0,
      bodyTimeout: 0,
    }).catch((error) => {
      signal.throwIfAborted()
      throw new Error(`${vendor.name} at ${url.host} does not answer (${error.code ?? error.name}).`, {
        cause: error,
      })
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw refused(vendor.name, url.host, answer.statusCode, text, apiKey)
    return vendor.read(jsonOf(text, vendor.name), job.wishes, piece.endSeconds - piece.startSeconds)
  }

  return {
    name: vendor.name,
    refusals: vendor.refusals,
    async transcribe(job, signal) {
      const found: SpeechFindings[] = []
      for (const piece of await piecesOf(job.sound, vendor.pieceSeconds)) {
        const name = `piece ${piece.startSeconds}`
        const kept = job.notes.get(name)
        const findings = kept === undefined ? await askFor(job, piece, signal) : Kept.parse(JSON.parse(kept))
        if (kept === undefined) job.notes.put(name, JSON.stringify(findings))
        found.push(later(findings, piece.startSeconds))
        job.onProgress(piece.endSeconds / job.sound.durationSeconds)
      }
      return stitched(found)
    },
    close: () => connections.destroy(),
  }
}

const later = (findings: SpeechFindings, seconds: number): SpeechFindings => ({
  ...findings,
  segments: findings.segments.map((segment) => ({
    ...shift(segment, seconds),
    words: segment.words.map((word) => shift(word, seconds)),
  })),
})

const shift = <Timed extends { startSeconds: number; endSeconds: number }>(
  timed: Timed,
  by: number,
): Timed => ({
  ...timed,
  startSeconds: timed.startSeconds + by,
  endSeconds: timed.endSeconds + by,
})

/** The language is the one in which most is said. */
function stitched(found: readonly SpeechFindings[]): SpeechFindings {
  const letters = (findings: SpeechFindings) =>
    findings.segments.reduce((sum, { text }) => sum + text.length, 0)
  const most = [...found].sort((one, other) => letters(other) - letters(one))[0]
  return {
    language: most?.language ?? null,
    languageConfidence: most?.languageConfidence ?? null,
    segments: found.flatMap(({ segments }) => segments),
  }
}

function refused(
  name: string,
  host: string,
  status: number,
  text: string,
  apiKey: string | undefined,
): Error {
  const open = apiKey ? text.replaceAll(apiKey, '…') : text
  const reason = open.replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)
  return new Error(`${name} at ${host} answered ${status}${reason && `: ${reason}`}`)
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${name} did not answer with JSON.`, { cause: error })
  }
}
