// Claim: from the mouth of the far end to the ear of ours a telephone line takes at most 80 ms beyond the network: packets, jitter buffer, codec, resampling.
//
// Clicks through a whole line on a clock of its own, so that the figures are those of the line and not of the machine.
import { type CodecName, codecNames } from '../server/src/carriers/sip/sound/codecs.ts'
import { overLine } from '../server/test/props/sip/over-line.ts'
import { Spoiler } from '../server/test/props/sip/spoiler.ts'
import { median } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const targetMs = 80
const perMs = 16
// The network of the props.
const networkMs = 10
// A sample of the first frame was spoken up to 20 ms before it is sent, and the first frame is heard 20 ms after that.
const framesMs = 40
const clickEveryMs = 500
// The buffer has found its delay by then.
const settledMs = 3_000
const forMs = 12_000

function clicks(): Int16Array {
  const samples = new Int16Array(forMs * perMs)
  // Clicks are not always at the same place of a frame: 37 ms further each time.
  for (let ms = 100; ms < forMs - 20; ms += clickEveryMs + 37)
    for (let i = 0; i < 3 * perMs; i++) samples[ms * perMs + i] = 20_000 * Math.sin((2 * Math.PI * i) / 16)
  return samples
}

/** The positions, in samples, where sound begins after a stretch of silence. */
function onsets(samples: Int16Array): number[] {
  const found: number[] = []
  samples.forEach((sample, at) => {
    if (Math.abs(sample) > 5_000 && at - (found.at(-1) ?? Number.NEGATIVE_INFINITY) > 100 * perMs)
      found.push(at)
  })
  return found
}

async function delaysMs(codec: CodecName, jitterMs: number): Promise<number[]> {
  const spoken = clicks()
  const there = new Spoiler({ loss: 0, duplicates: 0, jitterMs }, 5)
  const heard = onsets((await overLine(spoken, { codec, there })).samples)
  return onsets(spoken)
    .filter((at) => at > settledMs * perMs)
    .flatMap((at) => {
      const later = heard.find((one) => one > at - framesMs * perMs && one < at + 300 * perMs)
      return later === undefined ? [] : [(later - at) / perMs + framesMs - networkMs]
    })
}

async function measure(): Promise<Row[]> {
  const rows: Row[] = []
  for (const codec of codecNames) {
    const calm = await delaysMs(codec, 0)
    const uneven = await delaysMs(codec, 20)
    const worst = Math.max(...calm)
    rows.push({
      claim: `mouth to ear beyond the network, ${codec}`,
      measured: `${median(calm).toFixed(0)} ms, at most ${worst.toFixed(0)} ms of ${calm.length} clicks`,
      yardstick: `with 20 ms of jitter: ${median(uneven).toFixed(0)} ms, at most ${Math.max(...uneven).toFixed(0)} ms`,
      ratio: '–',
      target: `≤ ${targetMs} ms`,
      verdict: verdict(calm.length > 0 && worst <= targetMs),
    })
  }
  return rows
}

await printIfMain(import.meta.url, measure)
