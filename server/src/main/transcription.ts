// The speech-to-text service: what its requests need, and the work behind them.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDecoder } from '../adapters/ffmpeg/decoder.ts'
import { FileTray } from '../http/file-tray.ts'
import { openClaimant } from '../platform/db/claim.ts'
import type { Config } from '../platform/config.ts'
import { download } from '../platform/download.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openGuard } from '../platform/guard/guard.ts'
import { startLoop } from '../platform/loop.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { SpeechEngine } from '../ports/transcription.ts'
import { callbackSecrets } from '../resources/transcripts/callback-secrets.ts'
import { startCallbacks } from '../resources/transcripts/callback-worker.ts'
import { Endings } from '../resources/transcripts/completion-notices.ts'
import { files } from '../resources/transcripts/files.ts'
import type { SpeechDesk } from '../resources/transcripts/routes.ts'
import { Stenographer } from '../resources/transcripts/transcription-worker.ts'
import { pruneTranscripts } from '../resources/transcripts/transcript-store.ts'
import { transcripts } from '../resources/transcripts/transcripts.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import type { Floor } from './infrastructure.ts'
import { openTranslator } from './transcription-engine.ts'

export type OpenEngine = (config: Config) => SpeechEngine

export interface SpeechRoom {
  readonly desk: SpeechDesk
  readonly tray: FileTray
  readonly endings: Endings
  /** Takes transcripts from the backlog, makes callbacks, keeps house. */
  startWork(): Promise<{ stop(): Promise<void> }>
  close(): Promise<void>
}

// What has expired is ignored from that moment on; a minute later it is gone.
const sweepEveryMs = 60_000

/** Undefined in a process that neither serves nor shows transcripts. */
export async function openSpeech(floor: Floor, openEngine: OpenEngine): Promise<SpeechRoom | undefined> {
  const { config, db, vault, guard, log } = floor
  if (!config.roles.includes('api') && !config.roles.includes('speech')) return undefined
  const storage = await openUploadStorage(config)
  const decoder = openDecoder({ folder: config.ffmpegDir, maxSeconds: config.speechMaxSeconds })
  const engine = openEngine(config)
  const translator = openTranslator(config)
  // Webhooks may be let out to private addresses; what is fetched may not.
  const sources = openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts })
  const endings = await new Endings(db).open()
  const secrets = callbackSecrets(db, vault)
  const fileDesk = files({ db, storage, decoder, keptDays: config.fileDays })
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

  return {
    desk: { files: fileDesk, transcripts: transcriptDesk, secrets },
    tray,
    endings,
    async startWork() {
      const claimant = await openClaimant(floor.connection, () => {})
      const stenographer = new Stenographer({
        db,
        log,
        claimant,
        parts: {
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
        },
        workFolder: join(config.dataDir, 'speech'),
        most: config.speechConcurrency,
      })
      const callbacks = startCallbacks({
        db,
        log,
        claimant,
        secrets,
        send: sendThrough(guard, config.webhookTimeoutSeconds * 1000),
        backoffMs: config.webhookBackoffSeconds * 1000,
      })
      const housekeeping = startLoop(
        async () => {
          const more = await fileDesk.sweep()
          return (await pruneTranscripts(db, config.transcriptDays)) || more ? 0 : sweepEveryMs
        },
        (err) => {
          log.warn({ err }, 'housekeeping of transcripts failed')
          return sweepEveryMs
        },
      )
      const ears = await Promise.all([
        db.listen('transcripts', { notice: stenographer.wake, lost() {}, resumed: stenographer.wake }),
        db.listen('transcript_callbacks', { notice: callbacks.wake, lost() {}, resumed: callbacks.wake }),
      ])
      return {
        async stop() {
          await Promise.all(ears.map((ear) => ear.close()))
          await stenographer.stop(config.drainSeconds * 1000)
          await Promise.all([callbacks.stop(), housekeeping.stop()])
          await claimant.close()
        },
      }
    },
    async close() {
      await endings.close()
      await Promise.all([engine.close(), translator?.close(), sources.close()])
      storage.close()
    },
  }
}

async function openUploadStorage({ dataDir, s3 }: Config) {
  await mkdir(join(dataDir, 'uploads'), { recursive: true, mode: 0o700 })
  return s3
    ? openS3Storage({ ...s3, prefix: `${s3.prefix}uploads/` }, 'application/octet-stream')
    : openFileStorage(join(dataDir, 'uploads', 'files'))
}
