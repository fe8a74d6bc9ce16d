// A whole process: started in order, stopped in reverse.
import { setTimeout as sleep } from 'node:timers/promises'
import { linePath } from '@parley/contract'
import { Counter, type Registry } from 'prom-client'
import type { DoorLink } from '../carriers/description.ts'
import { openDecoder } from '../engines/ffmpeg/decoder.ts'
import { type Metrics, openMetrics } from '../http/metrics.ts'
import type { RoleReport, RoleStatus } from '../http/readiness.ts'
import { firstFault, once } from '../platform/closing.ts'
import type { Config } from '../platform/config.ts'
import { openGuard } from '../platform/guard/guard.ts'
import { readRules } from '../platform/guard/rules.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { Log } from '../platform/log.ts'
import { followRotation } from '../platform/secret-rotation.ts'
import { metricsFor } from '../platform/telemetry/telemetry.ts'
import {
  answerHandovers,
  answerListening,
  type CallLoad,
  type CallRunner,
  measuredRunner,
  openCallStateWriter,
  openRecordingArchive,
  openSignallingWriter,
  type RecordingArchive,
  startMedia,
  tracedRunner,
} from '../resources/calls/work.ts'
import { type Knowledge, openKnowledge } from '../resources/knowledge-base/work.ts'
import { checkElsewhere } from '../resources/phone-numbers/phone-numbers.ts'
import {
  answerTrunkChecks,
  openTelephones,
  openTrunkLeases,
  openTrunks,
} from '../resources/phone-numbers/work.ts'
import { openProcessSpeechCache } from '../resources/speech-cache/work.ts'
import { openTranscription, type TranscriptionMakers } from '../resources/transcripts/work.ts'
import { makeLink } from '../resources/users/users.ts'
import { onPassedOver } from '../vendors/over/wire/passed-over.ts'
import { bootstrap, type FirstRun } from './bootstrap.ts'
import { openInfrastructure } from './infrastructure.ts'
import { knowledgeEngines } from './knowledge-engines.ts'
import { addressOf, closeRequests, listen, mustBeFree } from './listen.ts'
import type { MediaRunner, MediaRunnerOptions } from './media/media-runner.ts'
import { type CarrierChoice, openDoors, ownCarriers } from './open-carriers.ts'
import { openTranscriptionEngine, openTranslator } from './transcription-engine.ts'
import { type HttpSide, wireHttp } from './wire.ts'
import { startWorker } from './worker.ts'

export type OpenEngine = TranscriptionMakers['openEngine']

export interface Service {
  readonly port: number
  readonly firstRun: FirstRun | undefined
  /** The token that signs the first user in once, without a password; on the first start only. */
  readonly signInToken: string | undefined
  /** The address that telephones call, if there is a line for them. */
  readonly telephoneAddress: string | undefined
  stop(): Promise<void>
}

/**
 * Opens the runner of this process's calls, which records them in that folder; without it the process takes no calls.
 */
export type OpenRunner = (options: MediaRunnerOptions) => CallRunner & Partial<Pick<MediaRunner, 'linkTo'>>

/** If it fails, everything it had opened is closed. */
export async function startService(
  config: Config,
  log: Log,
  openRunner?: OpenRunner,
  openEngine: OpenEngine = openTranscriptionEngine,
  carriers: CarrierChoice = ownCarriers(config),
): Promise<Service> {
  try {
    return await start(config, log, openRunner, openEngine, carriers)
  } catch (error) {
    throw firstFault(error)
  }
}

async function start(
  config: Config,
  log: Log,
  openRunner: OpenRunner | undefined,
  openEngine: OpenEngine,
  carriers: CarrierChoice,
): Promise<Service> {
  await mustBeFree(config)
  // What is opened is closed in reverse order, at the end or as soon as a later step fails.
  await using opened = new AsyncDisposableStack()
  const infrastructure = opened.adopt(await openInfrastructure(config, log), (it) => it.close())
  opened.adopt(await followRotation(infrastructure, log), (it) => it.close())
  const firstRun = await bootstrap(infrastructure)
  const metrics = openMetrics(infrastructure.db)
  opened.adopt(await metricsFor(config, metrics.registries, metrics.exemplars), (it) => it?.close())
  opened.adopt(reportPassedOver(log, metrics), (it) => it.stop())
  const archive = await openRecordingArchive(infrastructure)
  opened.defer(() => archive.storage.close())
  const transcription = opened.adopt(
    await openTranscription(
      infrastructure,
      { openEngine, openDecoder, openTranslator },
      () => archive.address ?? '',
    ),
    (it) => it?.close(),
  )
  const lines = { choose: carriers.choose, checkTrunk: checkElsewhere(infrastructure.db) }
  const knowledge = opened.adopt(openKnowledge(infrastructure, knowledgeEngines), (it) => it.close())
  const kept = opened.adopt(await openProcessSpeechCache(infrastructure, metrics), (it) => it?.close())
  const wired = await wireHttp({ infrastructure, metrics, archive, lines, knowledge }, transcription)
  let drainMs = config.drainSeconds * 1000
  const closeHttp = once(() => closeRequests(wired, infrastructure, drainMs))
  opened.defer(closeHttp)
  const port = await listen(wired, config)
  archive.address ??= addressOf(config.host, port)
  const { readiness } = wired
  if (config.roles.includes('api')) readiness.started('api')
  if (config.roles.includes('worker')) {
    const worker = await startWorker(infrastructure, metrics, archive, kept?.cache)
    opened.adopt(worker, (it) => it.stop())
    readiness.started('worker', () => connected(worker))
  }
  const withSpeechCache =
    openRunner && ((options: MediaRunnerOptions) => openRunner({ ...options, speechCache: kept?.cache }))
  const calls =
    withSpeechCache && config.roles.includes('media')
      ? await openCalls(
          infrastructure,
          archive,
          wired,
          metrics,
          withSpeechCache,
          carriers.descriptions,
          knowledge,
        )
      : undefined
  if (config.roles.includes('media')) readiness.started('media', calls?.report)
  lines.checkTrunk = calls?.doors.checkTrunk ?? lines.checkTrunk
  const closeCalls = once(() => calls?.close())
  opened.defer(closeCalls)
  const transcriptionWork = config.roles.includes('speech')
    ? await transcription?.startWork(metrics.observeJob)
    : undefined
  const closeTranscription = once(() => transcriptionWork?.stop())
  opened.defer(closeTranscription)
  if (config.roles.includes('speech'))
    readiness.started('speech', transcriptionWork && (() => connected(transcriptionWork)))
  const signInToken = firstRun && (await makeLink(infrastructure.db, firstRun.dashboard_email))

  const running = opened.move()
  return {
    port,
    firstRun,
    signInToken,
    telephoneAddress: calls?.doors.address,
    async stop() {
      readiness.draining = true
      // Telephones are told to try another process, and need not wait to see it.
      calls?.drain()
      await sleep(config.shutdownDelaySeconds * 1000)
      const beganMs = performance.now()
      running.defer(async () => {
        // While calls end by themselves, requests, health and metrics are answered.
        await Promise.all([closeCalls(), closeTranscription()])
        drainMs = Math.max(drainMs - (performance.now() - beganMs), Math.min(drainMs, leastRequestMs))
        await closeHttp()
      })
      await running.disposeAsync().catch((error) => {
        throw firstFault(error)
      })
    },
  }
}

// The least time for a request that came while the last calls ended.
const leastRequestMs = 2_000

const connected = ({ isConnected }: { readonly isConnected: boolean }): RoleReport => ({
  status: isConnected ? 'ready' : 'disconnected',
})

/** Starts running calls and accepting arrivals. */
async function openCalls(
  infrastructure: Infrastructure,
  archive: RecordingArchive,
  { upgrades }: HttpSide,
  { registry, exemplars, countLostCall }: Metrics,
  openRunner: OpenRunner,
  carriers: CarrierChoice['descriptions'],
  knowledge: Knowledge,
) {
  const { config, log, db, vault } = infrastructure
  await using opened = new AsyncDisposableStack()
  // The doors close after everything else, and what they keep of the last calls is written after that.
  const signalling = opened.adopt(openSignallingWriter(db, log), (it) => it.close())
  const states = opened.adopt(openCallStateWriter(infrastructure), (it) => it.close())
  const closedLast = opened.use(new AsyncDisposableStack())
  const trunks = opened.adopt(await openTrunks(db, vault), (it) => it.close())
  const runner = openRunner({ config, recordingsFolder: archive.folder, log, knowledge })
  const close = once(() => runner.close())
  opened.defer(close)
  const claimant = opened.adopt(await infrastructure.openClaimant(() => {}), (it) => it.close())
  const { traces } = infrastructure
  const measured = measuredRunner({ ...runner, close }, registry, traces && exemplars)
  const traced = tracedRunner(measured, traces)
  const media = await startMedia(infrastructure, archive, traced, countLostCall)
  opened.defer(() => media.stop())
  const listening = await answerListening({ db, log, live: media.dispatcher.live })
  opened.adopt(listening, (it) => it.close())
  const doors = await openDoors(carriers, {
    ...doorOptions(infrastructure),
    upgrades,
    guard: opened.adopt(openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts }), (it) =>
      it.close(),
    ),
    admit: media.dispatcher.admit,
    room: () => media.dispatcher.load,
    transferTargets: media.dispatcher.transferTargets,
    mayDial: media.dispatcher.mayDial,
    linkTo: runner.linkTo ?? noLink,
    trunks,
    leases: openTrunkLeases(db, claimant, log),
    telephones: openTelephones(db),
    keepSignalling: signalling.keep,
    keepStateOf: (carrier) => (sessionId, state) => states.keep(sessionId, { carrier, state }),
    countRefused: refusalCounter(registry),
  })
  closedLast.defer(() => doors.close())
  if (doors.resumer) {
    media.resumeWith(doors.resumer)
    const onError = (err: unknown) => log.warn({ err }, 'room for calls of another process could not be told')
    const roomForOthers = () => Math.min(media.dispatcher.load.free, media.dispatcher.roomForOrphans)
    opened.adopt(await answerHandovers(db, roomForOthers, onError), (it) => it.close())
  }
  if (doors.checkTrunk) {
    const onError = (err: unknown) => log.warn({ err }, 'a trunk could not be checked for another process')
    opened.adopt(await answerTrunkChecks(db, trunks, doors.checkTrunk, onError), (it) => it.close())
  }
  const running = opened.move()
  /** Telephone calls are turned away, and those of other processes are left to others. */
  const drain = () => {
    doors.drain()
    media.dispatcher.leaveOrphans()
  }
  return {
    doors,
    drain,
    /** How the role stands. */
    report: () => reportOf(media.dispatcher.load),
    async close(): Promise<void> {
      drain()
      await running.disposeAsync()
    },
  }
}

/** The log names the type once for each stream, which may bring it fifty times a second. */
const reportPassedOver = (log: Log, { countPassedOver }: Metrics) =>
  onPassedOver(({ company, service, reason, messageType, isFirst }) => {
    countPassedOver(company, service, reason)
    if (isFirst) log.warn({ company, service, reason, messageType }, 'a message of a vendor was passed over')
  })

const reportOf = (load: CallLoad): RoleReport => ({
  status: statusOf(load),
  calls: load.calls,
  capacity: load.capacity,
  free: load.free,
})

function statusOf({ isDraining, isConnected, isWarm, keepsTime, free }: CallLoad): RoleStatus {
  if (isDraining) return 'draining'
  if (!isConnected) return 'disconnected'
  if (!isWarm) return 'starting'
  if (!keepsTime) return 'overloaded'
  return free > 0 ? 'ready' : 'full'
}

/** The link of a runner whose calls have no doors. */
const noLink = (): DoorLink => ({ post() {}, onMessage() {}, onLost() {} })

function refusalCounter(registry: Registry): (reason: string) => void {
  const refused = new Counter({
    name: 'parley_sip_refused_total',
    help: 'SIP requests that were turned away at the door, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  return (reason) => refused.inc({ reason })
}

/** Our own pages may be served from another origin than the one they connect to. */
const doorOptions = ({ config, log, vault }: Infrastructure) => ({
  linePath,
  sip: config.sip,
  isTrustedHost: trustOf(config),
  sign: (text: string) => vault.sign('SIP nonces', text),
  origins: config.publicUrl
    ? [...config.browserOrigins, new URL(config.publicUrl).origin]
    : config.browserOrigins,
  log,
})

/** Private hosts need the operator, whatever webhooks may do. */
function trustOf({ trustedHosts }: Config): (host: string, port: number) => boolean {
  const rules = readRules({ allowPrivate: false, trustedHosts })
  return (host, port) => {
    const url = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}:${port}`)
    return url !== null && rules.isOpen(url)
  }
}
