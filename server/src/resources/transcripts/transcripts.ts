// The rules of transcripts: what may be requested, how long a request waits, and that a deleted one is really gone.
import type { findings, NewTranscript, PageQuery, TranscriptFormat, TranscriptStatus } from '@parley/contract'
import type { z } from 'zod'
import { Verbatim } from '../../http/answer.ts'
import type { IncomingFile } from '../../http/body/file-tray.ts'
import { PlainText } from '../../http/body/text-stream.ts'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { newId } from '../../platform/ids.ts'
import type { CompletionNotices } from './completion-notices.ts'
import { expireUnusedFile } from './file-store.ts'
import type { Files } from './files.ts'
import { mediaTypes, written } from './subtitles.ts'
import { transcriptSummaryOf, wholeJson } from './transcript-record.ts'
import { findTranscript, insertTranscript, pageOfTranscripts, removeTranscript } from './transcript-store.ts'
import { type Abilities, mustBeServed, optionsOf } from './transcription-options.ts'

export interface TranscriptsOptions {
  readonly db: Db
  /** For URLs to download from, and URLs to notify. */
  readonly guards: { readonly audio_url: Guard; readonly callback_url: Guard }
  readonly files: Files
  readonly endings: CompletionNotices
  readonly abilities: Abilities
  /** How long a synchronous request waits before it returns an unfinished transcript. */
  readonly syncSeconds: number
}

const servers = { audio_url: 'file server', callback_url: 'receiver' } as const

type Findings = z.infer<z.ZodObject<typeof findings>>

export const transcripts = ({ db, guards, files, endings, abilities, syncSeconds }: TranscriptsOptions) => {
  const mustBePublic = async (path: 'audio_url' | 'callback_url', address: string | undefined) => {
    if (address === undefined) return
    const verdict = await guards[path].inspect(address)
    if (!verdict.ok)
      fail('URL_NOT_PUBLIC', { details: [{ path, message: orTrusted(verdict, servers[path]) }] })
  }

  const create = async (
    workspaceId: string,
    request: NewTranscript,
    file?: IncomingFile,
  ): Promise<string> => {
    mustHaveOneSource(request, file)
    const options = optionsOf(request)
    mustBeServed(options, abilities)
    await mustBePublic('audio_url', request.audio_url)
    await mustBePublic('callback_url', request.callback_url)
    const fileId = file ? (await files.add(workspaceId, file)).file_id : (request.file_id ?? null)
    const transcriptId = newId()
    const made = await insertTranscript(db, {
      transcriptId,
      workspaceId,
      fileId,
      audioUrl: request.audio_url ?? null,
      options,
      metadata: request.metadata,
      callbackUrl: request.callback_url ?? null,
    })
    if (!made) {
      fail('FILE_NOT_FOUND', { details: [{ path: 'file_id', message: 'There is no file with this id.' }] })
    }
    return transcriptId
  }

  const find = async (workspaceId: string, transcriptId: string) =>
    (await findTranscript(db, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')

  return {
    async create(workspaceId: string, request: NewTranscript) {
      return { transcript_id: await create(workspaceId, request), status: 'queued' as const }
    },

    /** Waits for the transcript. If that takes too long, returns it unfinished, and the transcription continues. */
    async now(workspaceId: string, request: NewTranscript, file?: IncomingFile): Promise<Verbatim> {
      const transcriptId = await create(workspaceId, request, file)
      const until = performance.now() + syncSeconds * 1000
      for (;;) {
        // The wait starts before the lookup, because the transcript may end in between.
        const leave = new AbortController()
        const ended = endings.wait(transcriptId, Math.max(0, until - performance.now()), leave.signal)
        const row = await find(workspaceId, transcriptId)
        if (row.completed_at || performance.now() >= until || endings.closed) {
          leave.abort()
          return new Verbatim(wholeJson(row))
        }
        await ended
      }
    },

    list: async (workspaceId: string, status: TranscriptStatus | undefined, query: PageQuery) =>
      listOf(query, await pageOfTranscripts(db, workspaceId, status, query), transcriptSummaryOf),

    async get(workspaceId: string, transcriptId: string, format: TranscriptFormat) {
      const row = await find(workspaceId, transcriptId)
      if (format === 'json') return new Verbatim(wholeJson(row))
      if (row.status === 'failed') fail('TRANSCRIPT_NOT_READY', { message: `It failed: ${row.error}` })
      if (row.findings === null) fail('TRANSCRIPT_NOT_READY')
      const { segments } = JSON.parse(row.findings) as Findings
      return new PlainText(mediaTypes[format], written(format, segments))
    },

    async remove(workspaceId: string, transcriptId: string) {
      const unusedFile = await db.transaction(async (tx) => {
        const { file_id: fileId } =
          (await removeTranscript(tx, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')
        return fileId && (await expireUnusedFile(tx, fileId)) ? fileId : undefined
      })
      if (unusedFile) await files.discard(unusedFile)
      await files.sweep()
      return { transcript_id: transcriptId, deleted: true as const }
    },
  }
}

export type Transcripts = ReturnType<typeof transcripts>

function mustHaveOneSource({ file_id, audio_url }: NewTranscript, file: IncomingFile | undefined): void {
  const given = [file_id, audio_url, file].filter((source) => source != null).length
  if (given === 1) return
  const message = file
    ? 'The file is in the form already; leave out file_id and audio_url.'
    : 'Give either file_id or audio_url.'
  fail('VALIDATION_ERROR', { details: [{ path: 'file_id', message }] })
}
