// Speech with known word times: flite reports the end of every phone it synthesizes.
import { readFile } from 'node:fs/promises'
import type { FliteVoice } from '../server/src/adapters/embedded/flite/voices.ts'
import { runInMemory } from '../server/src/adapters/embedded/flite/wasi-in-memory.ts'
import { flite } from '../server/src/adapters/embedded/models/catalogue.ts'
import { fetchModel, type ModelCache } from '../server/src/adapters/embedded/models/fetch-model.ts'
import { parseWav } from '../server/src/media/wav-parse.ts'

export interface TimedSpeech {
  /** At 16 kHz. */
  readonly samples: Int16Array
  readonly words: readonly { readonly word: string; readonly startSeconds: number }[]
}

interface Phone {
  readonly name: string
  readonly startSeconds: number
}

const pause = 'pau'

export async function openTimedVoice(models: ModelCache) {
  const { program } = await fetchModel(flite, models)
  const module = await WebAssembly.compile(await readFile(program))
  const run = (voice: FliteVoice, text: string) =>
    runInMemory(module, ['flite', '-voice', voice, '-psdur', '-t', text, '-o', '/speech.wav'])

  return (text: string, voice: FliteVoice): TimedSpeech => {
    const { file, printed } = run(voice, text)
    const words = text.toLowerCase().match(/[a-z']+/g) ?? []
    const alone = words.map((word) => phonesOf(run(voice, word).printed).map(({ name }) => name))
    const starts = wordStarts(alone, phonesOf(printed))
    return {
      samples: parseWav(file).channels[0] ?? new Int16Array(),
      words: words.flatMap((word, place) => {
        const startSeconds = starts[place]
        return startSeconds === undefined ? [] : [{ word, startSeconds }]
      }),
    }
  }
}

/** "dh:0.228 ax:0.258": a phone and its end. */
function phonesOf(printed: string): Phone[] {
  let startSeconds = 0
  return printed
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [name = '', end] = part.split(':')
      const phone = { name, startSeconds }
      startSeconds = Number(end)
      return phone
    })
    .filter(({ name }) => name !== pause)
}

/**
 * A word's phones differ slightly between a sentence and the word alone, so the phones of all words in sequence are
 * aligned with those of the sentence by minimum edit distance. A word begins at its first phone.
 */
function wordStarts(words: readonly (readonly string[])[], said: readonly Phone[]): (number | undefined)[] {
  const alone = words.flatMap((phones, word) => phones.map((name) => ({ name, word })))
  const cost = [Array.from({ length: said.length + 1 }, (_, place) => place)]
  alone.forEach(({ name }, line) => {
    const above = cost[line] ?? []
    const row = [line + 1]
    said.forEach((phone, place) => {
      const change = (above[place] ?? 0) + (phone.name === name ? 0 : 1)
      row.push(Math.min(change, (above[place + 1] ?? 0) + 1, (row[place] ?? 0) + 1))
    })
    cost.push(row)
  })
  const at = (line: number, place: number) => cost[line]?.[place] ?? Number.POSITIVE_INFINITY
  const starts: (number | undefined)[] = words.map(() => undefined)
  let [line, place] = [alone.length, said.length]
  while (line > 0 && place > 0) {
    const [here, phone] = [alone[line - 1], said[place - 1]]
    const same = here?.name === phone?.name ? 0 : 1
    if (at(line, place) === at(line - 1, place - 1) + same) {
      if (here && phone) starts[here.word] = phone.startSeconds
      line--
      place--
    } else if (at(line, place) === at(line - 1, place) + 1) line--
    else place--
  }
  return starts
}
