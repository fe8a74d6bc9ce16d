// Whisper in the window that the speech needs, compared with the whole window of 30 seconds on the same clips in the
// same run: node bench/whisper-window.ts [base|small].
import { readFile } from 'node:fs/promises'
import { floats } from '../server/src/engines/features/floats.ts'
import { fetchModel } from '../server/src/engines/models/fetch-model.ts'
import { Detokenizer } from '../server/src/engines/whisper/detokenizer.ts'
import { whisperEndToken } from '../server/src/engines/whisper/languages.ts'
import { type WhisperSize, whisperModels } from '../server/src/engines/whisper/whisper.ts'
import { loadWhisper } from '../server/src/engines/whisper/whisper-model.ts'
import { isLooping, wholeWindowFrames, windowsFor } from '../server/src/engines/whisper/window.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { clipsAbsent, readClips } from './clips.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const rateHz = 16_000
const mostTokens = 224
// Two of a hundred words: the clips have so few that a single word is one percent.
const mostWorse = 0.02
const fasterTimes = 2

interface WindowFigures {
  readonly errors: WordErrors[]
  cpuSeconds: number
  again: number
}

async function measure(size: WhisperSize): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, whisperModels[size])
  if (absent ?? clipsAbsent) return []
  const paths = await fetchModel(whisperModels[size], { folder })
  const model = await loadWhisper(paths)
  const detokenizer = new Detokenizer(JSON.parse(await readFile(paths.vocabulary, 'utf8')))
  const { signal } = new AbortController()

  async function hear(
    samples: Float32Array,
    windows: readonly number[],
    heard: WindowFigures,
  ): Promise<string> {
    const tokens: number[] = []
    for (const [place, frames] of windows.entries()) {
      if (place > 0) heard.again++
      tokens.length = 0
      const asked = { language: 'en', limit: mostTokens, attentive: false, signal }
      const isLast = place === windows.length - 1
      await model.decode(await model.listen(samples, frames), asked, (token) => {
        if (token !== whisperEndToken) tokens.push(token)
        return isLast || !isLooping(tokens)
      })
      if (!isLooping(tokens)) break
    }
    return detokenizer.text(tokens)
  }

  const clips = readClips().filter(({ said }) => said !== '')
  const seconds = clips.reduce((sum, { samples }) => sum + samples.length / rateHz, 0)
  const ways = {
    cut: (samples: number) => windowsFor(samples),
    whole: () => [wholeWindowFrames],
  }
  const results = { cut: nothing(), whole: nothing() }
  await hear(floats(clips[0]?.samples ?? new Int16Array(rateHz)), ways.whole(), nothing())
  for (const { samples, said } of clips)
    for (const way of ['cut', 'whole'] as const) {
      const before = process.cpuUsage()
      const text = await hear(floats(samples), ways[way](samples.length), results[way])
      const { user, system } = process.cpuUsage(before)
      results[way].cpuSeconds += (user + system) / 1e6
      results[way].errors.push(wordErrors(said, text))
    }
  await model.release()
  return rows(size, seconds, results)
}

const nothing = (): WindowFigures => ({ errors: [], cpuSeconds: 0, again: 0 })

function rows(
  size: WhisperSize,
  seconds: number,
  { cut, whole }: Record<'cut' | 'whole', WindowFigures>,
): Row[] {
  const share = ({ cpuSeconds }: WindowFigures) => (cpuSeconds / seconds).toFixed(3)
  const percent = ({ errors }: WindowFigures) => `${(100 * errorRate(errors)).toFixed(1)} %`
  const times = whole.cpuSeconds / cut.cpuSeconds
  return [
    {
      claim: `whisper ${size}, ${cut.errors.length} clips of ${(seconds / cut.errors.length).toFixed(1)} s in the mean, on one thread`,
      measured: `${share(cut)} of real time; ${cut.again} clips heard again in the whole window`,
      yardstick: `the whole window: ${share(whole)} of real time`,
      ratio: times.toFixed(2),
      target: `≥ ${fasterTimes} × as fast`,
      verdict: verdict(times >= fasterTimes),
    },
    {
      claim: `whisper ${size}, words wrong on the same clips`,
      measured: percent(cut),
      yardstick: `the whole window: ${percent(whole)}`,
      ratio: '–',
      target: `≤ ${100 * mostWorse} points worse`,
      verdict: verdict(errorRate(cut.errors) <= errorRate(whole.errors) + mostWorse),
    },
  ]
}

const [, , given] = process.argv
await printIfMain(import.meta.url, () => measure(given === 'small' ? 'small' : 'base'))
