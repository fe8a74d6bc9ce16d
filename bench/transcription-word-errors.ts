// Word error rate on real recordings, clip by clip and in one long file, compared with calling the engine directly.
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { openTranscriptionFixture, strungTogether, textOf } from './transcription-fixture.ts'

// Pauses as in a conversation, and one as short as between two sentences.
const gapsMs = [250, 700, 1_500]
const mostWorse = 0.01

const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`

async function measure(): Promise<Row[]> {
  const fixture = await openTranscriptionFixture([silero, moonshine])
  if (!fixture) return []
  const { clips, folder } = fixture
  const bare = moonshineTranscriber({ folder, threads: 1 })
  const rows: Row[] = []
  const [ours, direct]: [WordErrors[], WordErrors[]] = [[], []]
  for (const { name, samples, said } of clips) {
    const mine = wordErrors(said, textOf(await fixture.transcribe(samples)))
    const theirs = wordErrors(said, (await bare.transcribe(samples)).text)
    ours.push(mine)
    direct.push(theirs)
    const show = ({ errors, words }: WordErrors) => `${errors} of ${words} words`
    rows.push(row(`word errors, ${name}`, show(mine), show(theirs)))
  }
  const [rate, yardstick] = [errorRate(ours), errorRate(direct)]
  rows.push(judged('word errors, all clips one by one', rate, yardstick))
  const allSaid = clips.map(({ said }) => said).join(' ')
  for (const gapMs of gapsMs) {
    const whole = strungTogether(
      clips.map(({ samples }) => samples),
      gapMs,
    )
    const { errors, words } = wordErrors(allSaid, textOf(await fixture.transcribe(whole)))
    rows.push(judged(`word errors, all clips in one file, ${gapMs} ms apart`, errors / words, yardstick))
  }
  await bare.close()
  await fixture.close()
  return rows
}

const row = (claim: string, measured: string, yardstick: string): Row => ({
  claim,
  measured,
  yardstick: `the engine called directly: ${yardstick}`,
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

const judged = (claim: string, rate: number, yardstick: number): Row => ({
  ...row(claim, percent(rate), percent(yardstick)),
  target: '≤ 1 point worse',
  verdict: verdict(rate <= yardstick + mostWorse),
})

await printIfMain(import.meta.url, measure)
