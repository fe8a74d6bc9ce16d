// What all calls of a media thread share: the clock, the engines, the way out into the world.
import { openAmbience } from '../adapters/ambience.ts'
import { openPeers, type Peers } from '../adapters/carriers/browser/peers.ts'
import { sandboxCarrier } from '../adapters/carriers/sandbox/sandbox.ts'
import { type Embedded, openEmbedded } from '../adapters/embedded/engines.ts'
import { type OperatorModels, openTrustedConnections, operatorModels } from '../adapters/llm/choose.ts'
import { openTicker, type Ticker } from '../platform/clock/ticker.ts'
import { type Guard, openGuard } from '../platform/guard/guard.ts'
import type { Log } from '../platform/log.ts'
import type { Carrier } from '../ports/line.ts'
import type { MediaThreadOptions } from './media-messages.ts'

export interface MediaRuntime extends MediaThreadOptions {
  readonly ticker: Ticker
  readonly engines: Embedded
  readonly carrier: Carrier
  /** Browsers on WebRTC. */
  readonly peers: Peers
  readonly guard: Guard
  readonly operator: OperatorModels | undefined
  /** Connections to what the operator named. */
  readonly trusted: ReturnType<typeof openTrustedConnections>
  /** After the last call has ended. */
  close(): Promise<void>
}

export function openMediaRuntime(
  birth: MediaThreadOptions,
  log: Pick<Log, 'info' | 'warn'>,
  ticker: Ticker = openTicker(),
): MediaRuntime {
  const { config } = birth
  const engines = openEmbedded({
    models: { folder: config.modelsDir },
    threads: config.speechThreads,
    tts: config.tts,
    log,
  })
  const guard = openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts })
  const trusted = openTrustedConnections()
  const { detector, transcriber, synthesizer } = engines
  const carrier = sandboxCarrier({
    ticker,
    detector,
    transcriber,
    synthesizer,
    // The agent's own voice is another, unless it asks for this one.
    voice: 'rms',
    noise: openAmbience,
  })
  const peers = openPeers(log)
  if (config.warmEngines) {
    peers.warm()
    void engines.warm()
  }

  return {
    ...birth,
    ticker,
    engines,
    carrier,
    peers,
    guard,
    trusted,
    operator: operatorModels(config),
    async close() {
      peers.close()
      await Promise.all([ticker.close(), engines.close(), guard.close(), trusted.destroy()])
    },
  }
}
