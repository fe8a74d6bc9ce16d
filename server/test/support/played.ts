// The audio that a page plays, from any source: tapped inside the browser and returned as samples.
import type { BrowserContext, Page } from 'playwright-core'

export const playedHz = 16_000

/** Call before the page is opened. */
export const tapSound = (context: BrowserContext) => context.addInitScript(tap)

/** Everything played up to now; waits for the tap's buffers. */
export async function playedBy(page: Page): Promise<Int16Array> {
  const pieces = () => (globalThis as unknown as { played: unknown[] }).played.length
  const enough = (await page.evaluate(pieces)) + 2
  await page.waitForFunction(
    (enough) => (globalThis as unknown as { played: unknown[] }).played.length >= enough,
    enough,
  )
  const text = await page.evaluate(() => {
    const { played } = globalThis as unknown as { played: Float32Array[] }
    const samples = played.flatMap((piece) => [...piece])
    const bytes = new Uint8Array(Int16Array.from(samples, (sample) => sample * 32_767).buffer)
    let letters = ''
    for (const byte of bytes) letters += String.fromCharCode(byte)
    return btoa(letters)
  })
  return new Int16Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}

/** When audio was first played, in ms since the page was opened; NaN before that. */
export const firstHeardMs = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { firstHeardMs: number }).firstHeardMs)

/** Runs in the page, so it cannot use anything from this file. */
function tap(): void {
  // biome-ignore lint/suspicious/noExplicitAny: the globals of a browser, which this side does not have
  const page = globalThis as any
  // About -50 dB of full scale.
  const audible = 0.003
  Object.assign(page, { played: [], firstHeardMs: Number.NaN })

  const listen = (context: unknown, node: { connect(other: unknown): void }) => {
    // Only the most recent source: a WebRTC connection that is never established has a silent track.
    const played: Float32Array[] = []
    page.played = played
    // Long buffers: a page that is busy for the length of one loses it.
    tapInto(context, node, 16_384, (samples) => void played.push(samples))
    tapInto(context, node, 512, (samples) => {
      if (Number.isNaN(page.firstHeardMs) && samples.some((sample) => Math.abs(sample) > audible))
        page.firstHeardMs = performance.now()
    })
  }
  const tapInto = (
    // biome-ignore lint/suspicious/noExplicitAny: as above
    context: any,
    node: { connect(other: unknown): void },
    pieceSamples: number,
    onPiece: (samples: Float32Array) => void,
  ) => {
    const ear = context.createScriptProcessor(pieceSamples, 1, 1)
    ear.onaudioprocess = (event: { inputBuffer: { getChannelData(channel: number): Float32Array } }) =>
      onPiece(event.inputBuffer.getChannelData(0).slice())
    node.connect(ear)
    ear.connect(context.destination)
  }

  page.RTCPeerConnection = class extends page.RTCPeerConnection {
    constructor() {
      super()
      this.addEventListener('track', ({ track }: { track: unknown }) => {
        const context = new page.AudioContext({ sampleRate: 16_000 })
        listen(context, context.createMediaStreamSource(new page.MediaStream([track])))
      })
    }
  }
  const { connect } = page.AudioNode.prototype
  page.AudioNode.prototype.connect = function (target: unknown, ...rest: unknown[]) {
    if (this instanceof page.AudioWorkletNode && target instanceof page.AudioDestinationNode)
      listen(this.context, this)
    return connect.call(this, target, ...rest)
  }
}
