// Generates the shipped ambience tracks deterministically: node scripts/make-ambience.ts [folder].
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import { wavHeader } from '../server/src/media/wav.ts'
import { rateHz } from './ambience/loop.ts'
import { type Speakers, tracks } from './ambience/tracks.ts'

const sentences = [
  'I told him that we would meet there on Thursday, but he never came.',
  'Have you seen the new building next to the station? It is quite something.',
  'No, I think the second one was better, and it cost half as much.',
  'We are going to be late if we do not leave before noon.',
  'She said the whole thing was moved to the end of the month again.',
  'Well, that depends on what the others want to do about it.',
]
const voices = ['heart', 'michael', 'bella', 'fenrir']
// Faster and higher, slower and lower: more speakers than there are voices.
const paces = [0.86, 1, 1.13]

// Audible under a voice at -20 dB without disturbing it.
const levelDb = -35

async function speakersOf(wren: ReturnType<typeof wrenSynthesizer>): Promise<Speakers> {
  const speakers: Float64Array[] = []
  for (const [place, sentence] of sentences.entries())
    for (const [nth, voice] of voices.entries())
      speakers.push(atPace(await spoken(wren, sentence, voice), paces[(place + nth) % paces.length] ?? 1))
  return speakers
}

async function spoken(
  wren: ReturnType<typeof wrenSynthesizer>,
  text: string,
  voice: string,
): Promise<number[]> {
  const samples: number[] = []
  const never = new AbortController().signal
  for await (const frame of wren.synthesize(text, { voice, rateHz }, never)) samples.push(...frame.samples)
  return samples
}

function atPace(samples: readonly number[], pace: number): Float64Array {
  const changed = Float64Array.from({ length: Math.floor(samples.length / pace) - 1 }, (_, i) => {
    const at = Math.floor(i * pace)
    const between = i * pace - at
    return (1 - between) * (samples[at] ?? 0) + between * (samples[at + 1] ?? 0)
  })
  const rms = Math.sqrt(changed.reduce((sum, sample) => sum + sample * sample, 0) / changed.length)
  return changed.map((sample) => sample / rms)
}

function wavOf(samples: Float64Array): Uint8Array {
  const gain = 32_768 * 10 ** (levelDb / 20)
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * gain))
  const bytes = new Uint8Array(pcm.buffer)
  return Buffer.concat([wavHeader({ rateHz, channels: 1 }, bytes.length), bytes])
}

async function main([given]: string[]): Promise<void> {
  const folder = given ?? fileURLToPath(new URL('../server/assets/ambience/', import.meta.url))
  const models = process.env.PARLEY_MODELS_DIR ?? join(homedir(), '.cache', 'parley-models')
  const wren = wrenSynthesizer({ folder: models })
  await mkdir(folder, { recursive: true })
  try {
    const speakers = await speakersOf(wren)
    for (const [name, make] of Object.entries(tracks)) {
      await writeFile(join(folder, `${name}.wav`), wavOf(make(speakers).atOne().samples))
      console.log(`${name}.wav is in ${folder}`)
    }
  } finally {
    await wren.close()
  }
}

await main(process.argv.slice(2))
