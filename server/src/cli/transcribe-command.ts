// `parley transcribe file.mp3 --srt`: transcribes a local recording, on this machine or with a remote service.
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { NewTranscript, type Segment, type TranscriptFormat } from '@parley/contract'
import { SpeechToText } from '@parley/sdk'
import type { Command } from 'commander'
import { openDecoder } from '../engines/ffmpeg/decoder.ts'
import { openTranscriptionEngine } from '../main/transcription-engine.ts'
import { readConfig } from '../platform/config.ts'
import {
  type Options,
  shownFindings,
  transcriptionOptionsOf,
  written,
} from '../resources/transcripts/without-database.ts'
import { progressBar } from './progress-bar.ts'
import type { Shell } from './shell.ts'

interface Flags {
  srt?: boolean
  vtt?: boolean
  language?: string
  speakers?: string | true
  words?: boolean
  output?: string
  server?: string
  key?: string
}

interface FileTranscript {
  readonly language: string | null
  readonly duration: number | null
  readonly text: string
  readonly segments: readonly Segment[]
}

export default function addTranscribeCommand(command: Command, { terminal, checked }: Shell): void {
  command
    .argument('<file>')
    .option('--srt', 'as SubRip subtitles')
    .option('--vtt', 'as WebVTT subtitles')
    .option('--language <code>', 'what is spoken, as in en; otherwise it is found out')
    .option('--speakers [count]', 'tell speakers apart; the count when it is known')
    .option('--words', 'with the time of every word (in --json)')
    .option('--output <file>', 'write it there instead of printing it')
    .option(
      '--server <url>',
      'let this service do it, as in http://localhost:8080/v1; otherwise this machine does',
    )
    .option('--key <key>', 'the API key for that service')
    .action(async (file: string, flags: Flags) => {
      const { file_id: _, audio_url: __, ...options } = checked(NewTranscript, wishOf(flags))
      const bar = progressBar(terminal.stderr)
      try {
        const heard = await transcribe(file, flags, { options, onProgress: bar.show, env: terminal.env })
        bar.clear()
        const words = wordsOf(heard, formatOf(flags, command.optsWithGlobals().json === true))
        if (flags.output) await writeFile(flags.output, words)
        else terminal.stdout.write(words)
      } catch (error) {
        bar.clear()
        command.error(error instanceof Error ? error.message : String(error))
      }
    })
}

const wishOf = ({ language, speakers, words }: Flags) => ({
  ...(language && { language }),
  ...(speakers !== undefined && { diarize: true }),
  ...(typeof speakers === 'string' && { num_speakers: Number(speakers) }),
  ...(words && { align: true }),
})

const formatOf = ({ srt, vtt }: Flags, json: boolean): TranscriptFormat =>
  json ? 'json' : srt ? 'srt' : vtt ? 'vtt' : 'text'

const wordsOf = (heard: FileTranscript, format: TranscriptFormat): string =>
  format === 'json' ? `${JSON.stringify(heard, null, 2)}\n` : written(format, heard.segments)

interface Wish {
  readonly options: Options
  readonly onProgress: (share: number) => void
  readonly env: NodeJS.ProcessEnv
}

function transcribe(file: string, { server, key }: Flags, wish: Wish) {
  if (!server) return here(file, wish)
  if (!key) throw new Error('--server needs --key: the API key for that service.')
  return there(file, new SpeechToText({ baseUrl: server, apiKey: key }), wish)
}

/** Deletes the transcript and the file from the service afterwards. */
async function there(
  file: string,
  service: SpeechToText,
  { options, onProgress }: Wish,
): Promise<FileTranscript> {
  const recording = await openAsBlob(file)
  const transcript = await service.transcribe(
    recording,
    { ...options, filename: basename(file) },
    { onProgress },
  )
  await service.delete(transcript.transcript_id)
  if (transcript.status === 'failed') throw new Error(transcript.error ?? 'It failed without a reason.')
  const { language, duration, text, segments } = transcript
  return { language, duration, text, segments }
}

async function here(file: string, { options, onProgress, env }: Wish): Promise<FileTranscript> {
  const config = readConfig(env)
  const engine = openTranscriptionEngine(config)
  const folder = await mkdtemp(join(tmpdir(), 'parley-transcribe-'))
  const { signal } = new AbortController()
  try {
    const [refusal] = engine.refusals(transcriptionOptionsOf(options))
    if (refusal) throw new Error(refusal.sentence)
    const decoder = openDecoder({ folder: config.ffmpegDir, maxSeconds: config.speechMaxSeconds })
    const pcmFile = join(folder, 'sound.pcm')
    const decoded = await decoder.decode(resolve(file), pcmFile, signal)
    if (!decoded.ok) throw new Error(decoded.reason)
    const { durationSeconds } = decoded
    const notes = { get: () => undefined, put() {} }
    const sound = { pcmFile, durationSeconds }
    const result = await engine.transcribe(
      { sound, wishes: transcriptionOptionsOf(options), onProgress, notes },
      signal,
    )
    const { text, segments } = shownFindings(result, null)
    return { language: result.language, duration: durationSeconds, text, segments }
  } finally {
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  }
}
