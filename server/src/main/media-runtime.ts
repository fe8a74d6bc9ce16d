// What all calls of a media thread share: the clock, the engines, the carriers, the ways out into the world.
import { type ChooseCarrier, chooseCarrier } from '../adapters/carriers/choose-carrier.ts'
import type { CarrierDescriptions } from '../adapters/carriers/description.ts'
import { carriers as allCarriers } from '../adapters/carriers/index.ts'
import { type Embedded, openEmbedded } from '../adapters/embedded/engines.ts'
import { type OperatorModels, openTrustedConnections, operatorModels } from '../adapters/llm/choose.ts'
import { sttVendors } from '../adapters/stt/index.ts'
import { ttsVendors } from '../adapters/tts/index.ts'
import { openTicker, type Ticker } from '../platform/clock/ticker.ts'
import { type Guard, openGuard } from '../platform/guard/guard.ts'
import type { Log } from '../platform/log.ts'
import type { SttVendor, TtsVendor, VendorAccount } from '../ports/vendor.ts'
import type { MediaThreadOptions } from './media-messages.ts'
import { type OpenCarriers, openCarriers } from './open-carriers.ts'

type ByName<Value> = Readonly<Record<string, Value>>

export interface MediaRuntime extends MediaThreadOptions {
  readonly ticker: Ticker
  readonly engines: Embedded
  /** Speech vendors by the names that agents use. */
  readonly vendors: { readonly stt: ByName<SttVendor>; readonly tts: ByName<TtsVendor> }
  /** Those that we have credentials for. */
  readonly accounts: { readonly stt: ByName<VendorAccount>; readonly tts: ByName<VendorAccount> }
  readonly carriers: OpenCarriers
  readonly guard: Guard
  readonly operator: OperatorModels | undefined
  /** Connections to what the operator named. */
  readonly trusted: ReturnType<typeof openTrustedConnections>
  /** After the last call has ended. */
  close(): Promise<void>
}

export interface CarrierChoice {
  readonly descriptions: CarrierDescriptions
  readonly choose: ChooseCarrier
}

export function openMediaRuntime(
  birth: MediaThreadOptions,
  log: Pick<Log, 'info' | 'warn'>,
  { descriptions, choose }: CarrierChoice = { descriptions: allCarriers, choose: chooseCarrier },
): MediaRuntime {
  const { config } = birth
  const ticker = openTicker()
  const engines = openEmbedded({
    models: { folder: config.modelsDir },
    threads: config.speechThreads,
    tts: config.tts,
    // Whoever wants them warm wants them to stay.
    idleMs: config.warmEngines ? undefined : config.engineIdleMs,
    log,
  })
  const guard = openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts })
  const trusted = openTrustedConnections()
  const carriers = openCarriers(descriptions, choose, { ticker, engines, log, warm: config.warmEngines })
  void (config.warmEngines ? engines.warm() : engines.choose())

  return {
    ...birth,
    ticker,
    engines,
    vendors: { stt: sttVendors, tts: ttsVendors },
    // None can be given yet.
    accounts: { stt: {}, tts: {} },
    carriers,
    guard,
    trusted,
    operator: operatorModels(config),
    async close() {
      await carriers.close()
      await Promise.all([ticker.close(), engines.close(), guard.close(), trusted.destroy()])
    },
  }
}
