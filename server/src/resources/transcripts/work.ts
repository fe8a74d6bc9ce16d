// The speech-to-text service of a process: what its requests need, and its background work.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileTray } from '../../http/body/file-tray.ts'
import { signedLinks } from '../../http/doors/signed-links.ts'
import type { Config } from '../../platform/config.ts'
import { download } from '../../platform/download.ts'
import { type Guard, openUserGuard } from '../../platform/guard/guard.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import type { JobsOptions } from '../../platform/jobs/worker.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import type { SoundDecoder } from '../../ports/sound-decoder.ts'
import type { TranscriptionEngine, Translator } from '../../ports/transcription.ts'
import { type AccountsOf, workspaceAccounts } from '../credentials/credentials.ts'
import { sendThrough } from '../webhooks/webhooks.ts'
import { callbackSecrets } from './callback-secrets.ts'
import { callbackJob } from './callback-worker.ts'
import { CompletionNotices } from './completion-notices.ts'
import { correctionRules } from './corrections.ts'
import { files } from './files.ts'
import { pruneTranscripts } from './transcript-store.ts'
import type { TranscriptionParts } from './transcription.ts'
import { abandonedSoundSweep, lostClaimSweep, transcriptionJob } from './transcription-worker.ts'
import { transcripts } from './transcripts.ts'

export { sealedCallbackSecrets } from './callback-secrets.ts'

/** What an engine asks of us: keys of workspaces, and a guard for the addresses that came with them. */
export interface EngineAccess {
  readonly accountsOf: AccountsOf
  readonly guard: Guard
}

/** How the parts are opened that transcribe. */
export interface TranscriptionMakers {
  readonly openEngine: (config: Config, parts: EngineAccess) => TranscriptionEngine
  readonly openDecoder: (options: { folder?: string | undefined; maxSeconds: number }) => SoundDecoder
  /** Returns undefined if nobody translates. */
  readonly openTranslator: (config: Config) => (Translator & { close(): Promise<void> }) | undefined
}

// What has expired is ignored immediately, and deleted within a minute.
const sweepEveryMs = 60_000

/** Undefined in a process that neither serves nor shows transcripts. */
export async function openTranscription(
  infrastructure: Infrastructure,
  { openEngine, openDecoder, openTranslator }: TranscriptionMakers,
  publicUrl: () => string,
) {
  const { config, db, vault, guard, log } = infrastructure
  if (!config.roles.includes('api') && !config.roles.includes('speech')) return undefined
  await using opened = new AsyncDisposableStack()
  const storage = opened.adopt(await openStorage(config, 'uploads'), (it) => it.close())
  const decoder = openDecoder({ folder: config.ffmpegDir, maxSeconds: config.speechMaxSeconds })
  const translator = opened.adopt(openTranslator(config), (it) => it?.close())
  // Webhooks may be allowed to reach private addresses; downloads may not.
  const sources = opened.adopt(openUserGuard(config), (it) => it.close())
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
    /** Starts transcribing, sending callbacks and housekeeping. */
    async startWork(observe: NonNullable<JobsOptions['observe']>) {
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
        /** False while its jobs wait for the database. */
        get isConnected() {
          return claimant.alive
        },
        stop: () => working.disposeAsync(),
      }
    },
    close: () => running.disposeAsync(),
  }
}

export type TranscriptionService = NonNullable<Awaited<ReturnType<typeof openTranscription>>>
