// What all calls of a media thread share: clock, engines, carriers and outbound connections.
import { type EmbeddedEngines, openEmbedded } from '../../engines/engines.ts'
import { openTrustedConnections } from '../../mind/model/choose-model.ts'
import { type OperatorModels, operatorModels } from '../../mind/model/choose-server.ts'
import { openTicker, type Ticker } from '../../platform/clock/ticker.ts'
import { type Guard, openUserGuard } from '../../platform/guard/guard.ts'
import type { Log } from '../../platform/log.ts'
import type { SttVendor, TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { openAmbience } from '../../speech/ambience.ts'
import { Circuits } from '../../speech/circuits.ts'
import { sttVendors, ttsVendors } from '../../vendors/index.ts'
import { type CarrierChoice, type OpenCarriers, openCarriers, ownCarriers } from '../open-carriers.ts'
import type { MediaThreadOptions } from './media-messages.ts'

type ByName<Value> = Readonly<Record<string, Value>>

export interface MediaRuntime extends MediaThreadOptions {
  readonly ticker: Ticker
  readonly engines: EmbeddedEngines
  /** Speech vendors by the names that agents use. */
  readonly vendors: { readonly stt: ByName<SttVendor>; readonly tts: ByName<TtsVendor> }
  /** The installation's accounts, by the names that credentials are stored under. */
  readonly accounts: ByName<VendorAccount>
  /** Vendors that have failed lately. */
  readonly circuits: Circuits
  readonly carriers: OpenCarriers
  readonly guard: Guard
  readonly operator: OperatorModels
  /** Connections to servers named by the operator. */
  readonly trusted: ReturnType<typeof openTrustedConnections>
  /** Resolves when the engines that are loaded at the start are ready, or have failed to load. */
  readonly warmed: Promise<void>
  /** Call it after the last call has ended. */
  close(): Promise<void>
}

/** Tests and benchmarks pass carriers and a clock of their own. */
export interface MediaRuntimeParts {
  readonly carriers?: CarrierChoice
  readonly ticker?: Ticker
}

export function openMediaRuntime(
  thread: MediaThreadOptions,
  log: Pick<Log, 'info' | 'warn'>,
  { carriers: choice = ownCarriers(thread.config), ticker = openTicker() }: MediaRuntimeParts = {},
): MediaRuntime {
  const { config } = thread
  const engines = openEmbedded({
    models: { folder: config.modelsDir },
    threads: config.speechThreads,
    tts: config.tts,
    whisper: config.whisper,
    // Engines that are preloaded at startup stay loaded.
    idleMs: config.warmEngines ? undefined : config.engineIdleMs,
    log,
  })
  const guard = openUserGuard(config)
  const trusted = openTrustedConnections()
  const carriers = openCarriers(choice, {
    ticker,
    engines,
    openNoise: openAmbience,
    log,
    warm: config.warmEngines,
    sip: config.sip,
  })
  const warmed = config.warmEngines
    ? engines.warm().then(
        () => {},
        () => {},
      )
    : Promise.resolve()

  return {
    ...thread,
    ticker,
    engines,
    vendors: { stt: sttVendors, tts: ttsVendors },
    accounts: config.vendorAccounts,
    circuits: new Circuits(),
    carriers,
    guard,
    trusted,
    operator: operatorModels(config),
    warmed,
    async close() {
      await carriers.close()
      await Promise.all([ticker.close(), engines.close(), guard.close(), trusted.destroy()])
    },
  }
}
