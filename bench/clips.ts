// Speech and noise for the figures, from a folder beside the repository that may be absent. Tests have clips of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseWav } from '../server/src/media/wav-parse.ts'
import type { Clip } from '../server/test/props/engines/clips.ts'

const folder = new URL('../../shared/data/speech/', import.meta.url)

export const clipsAbsent = existsSync(folder) ? undefined : 'no speech clips beside the repository'

/** The clips, all at 16 kHz; a clip of noise has no words. */
export function readClips(): Clip[] {
  if (clipsAbsent) return []
  const said = new Map(
    readFileSync(new URL('references.tsv', folder), 'utf8')
      .split('\n')
      .map((line) => line.split('\t') as [string, string]),
  )
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .map((file) => {
      const name = file.slice(0, -'.wav'.length)
      const samples = parseWav(readFileSync(new URL(file, folder))).channels[0] ?? new Int16Array()
      return { name, samples, said: said.get(name) ?? '' }
    })
}
