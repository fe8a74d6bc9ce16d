// The speech-to-text service: what its requests need, and its background work.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDecoder } from '../engines/ffmpeg/decoder.ts'
import { FileTray } from '../http/body/file-tray.ts'
import { signedLinks } from '../http/doors/signed-links.ts'
import type { Config } from '../platform/config.ts'
import { download } from '../platform/download.ts'
import { openGuard } from '../platform/guard/guard.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import type { JobsOptions } from '../platform/jobs/worker.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { TranscriptionEngine } from '../ports/transcription.ts'
import { workspaceAccounts } from '../resources/credentials/credentials.ts'
import { callbackSecrets } from '../resources/transcripts/callback-secrets.ts'
import { callbackJob } from '../resources/transcripts/callback-worker.ts'
import { CompletionNotices } from '../resources/transcripts/completion-notices.ts'
import { correctionRules } from '../resources/transcripts/corrections.ts'
import { files } from '../resources/transcripts/files.ts'
import type { TranscriptResources } from '../resources/transcripts/routes.ts'
import { pruneTranscripts } from '../resources/transcripts/transcript-store.ts'
import type { TranscriptionParts } from '../resources/transcripts/transcription.ts'
import {
  abandonedSoundSweep,
  lostClaimSweep,
  transcriptionJob,
} from '../resources/transcripts/transcription-worker.ts'
import { transcripts } from '../resources/transcripts/transcripts.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import type { Infrastructure } from './infrastructure.ts'
import { type EngineParts, openTranslator } from './transcription-engine.ts'

export type OpenEngine = (config: Config, parts: EngineParts) => TranscriptionEngine

export interface TranscriptionWork {
  /** False while its jobs wait for the database. */
  readonly isConnected: boolean
  stop(): Promise<void>
}

export interface TranscriptionService {
  readonly desk: TranscriptResources
  readonly tray: FileTray
  readonly endings: CompletionNotices
  /** Starts transcribing, sending callbacks and housekeeping. */
  startWork(observe: NonNullable<JobsOptions['observe']>): Promise<TranscriptionWork>
  close(): Promise<void>
}

// What has expired is ignored immediately, and deleted within a minute.
const sweepEveryMs = 60_000

/** Undefined in a process that neither serves nor shows transcripts. */
export async function openTranscription(
  infrastructure: Infrastructure,
  openEngine: OpenEngine,
  publicUrl: () => string,
): Promise<TranscriptionService | undefined> {
  const { config, db, vault, guard, log } = infrastructure
  if (!config.roles.includes('api') && !config.roles.includes('speech')) return undefined
  await using opened = new AsyncDisposableStack()
  const storage = opened.adopt(await openUploadStorage(config), (it) => it.close())
  const decoder = openDecoder({ folder: config.ffmpegDir, maxSeconds: config.speechMaxSeconds })
  const translator = opened.adopt(openTranslator(config), (it) => it?.close())
  // Webhooks may be allowed to reach private addresses; downloads may not.
  const sources = opened.adopt(openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts }), (it) =>
    it.close(),
  )
  const accountsOf = workspaceAccounts(db, vault)
  const engine = opened.adopt(openEngine(config, { accountsOf, guard: sources }), (it) => it.close())
  const endings = opened.adopt(await new CompletionNotices(db).open(), (it) => it.close())
  const secrets = callbackSecrets(db, vault)
  const links = signedLinks({
    vault,
    purpose: 'file address',
    urlSeconds: config.recordingUrlSeconds,
    publicUrl,
  })
  const fileDesk = files({ db, storage, decoder, keptDays: config.fileDays, links })
  const transcriptDesk = transcripts({
    db,
    guards: { audio_url: sources, callback_url: guard },
    files: fileDesk,
    endings,
    abilities: { engine, translates: translator !== undefined },
    syncSeconds: config.speechSyncSeconds,
  })
  const tray = new FileTray(join(config.dataDir, 'uploads', 'incoming'), config.uploadMaxBytes)
  await tray.open(config.uploadSeconds * 1000)

  const running = opened.move()
  return {
    desk: { files: fileDesk, transcripts: transcriptDesk, corrections: correctionRules(db), secrets },
    tray,
    endings,
    async startWork(observe) {
      await using work = new AsyncDisposableStack()
      let jobs: Jobs | undefined
      const claimant = work.adopt(await infrastructure.openClaimant(() => jobs?.wake()), (it) => it.close())
      const workFolder = join(config.dataDir, 'speech')
      work.defer(() => rm(join(workFolder, String(claimant.id)), { recursive: true, force: true }))
      jobs = work.adopt(new Jobs({ db, log, claimant, observe }), (it) => it.stop())
      const parts: TranscriptionParts = {
        storage,
        decoder,
        engine,
        translator,
        download: (file) =>
          download(sources, {
            ...file,
            limitBytes: config.uploadMaxBytes,
            timeoutMs: config.uploadSeconds * 1000,
          }),
      }
      await jobs.start(
        transcriptionJob({
          db,
          log,
          parts,
          workFolder,
          most: config.speechConcurrency,
          drainMs: config.drainSeconds * 1000,
        }),
      )
      await jobs.start(
        callbackJob({
          log,
          secrets,
          send: sendThrough(guard, config.webhookTimeoutSeconds * 1000),
          backoffMs: config.webhookBackoffSeconds * 1000,
        }),
      )
      await jobs.sweep(abandonedSoundSweep(db, workFolder))
      await jobs.sweep(lostClaimSweep(db))
      await jobs.sweep({
        name: 'housekeeping of transcripts',
        everyMs: sweepEveryMs,
        afterErrorMs: sweepEveryMs,
        async run() {
          const more = await fileDesk.sweep()
          return (await pruneTranscripts(db, config.transcriptDays)) || more ? 0 : sweepEveryMs
        },
      })
      const working = work.move()
      return {
        get isConnected() {
          return claimant.alive
        },
        stop: () => working.disposeAsync(),
      }
    },
    close: () => running.disposeAsync(),
  }
}

/** Where uploaded files are. */
export async function openUploadStorage({ dataDir, s3 }: Config): Promise<Storage> {
  await mkdir(join(dataDir, 'uploads'), { recursive: true, mode: 0o700 })
  return s3
    ? openS3Storage({ ...s3, prefix: `${s3.prefix}uploads/` }, 'application/octet-stream')
    : openFileStorage(join(dataDir, 'uploads', 'files'))
}
