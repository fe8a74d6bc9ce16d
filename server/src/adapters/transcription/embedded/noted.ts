// What an earlier attempt has noted down, read with the care that anything from a database deserves.
import { z } from 'zod'
import type { TranscriptionCheckpoints } from '../../../ports/transcription.ts'

export const NotedLanguage = z.object({ language: z.string(), confidence: z.number().nullable() })

export const NotedWords = z.array(
  z.object({ text: z.string(), fromMs: z.number(), toMs: z.number(), confidence: z.number() }),
)

/** What was noted under the name, else what is found now, which is noted in its turn. */
export async function noted<Found>(
  notes: TranscriptionCheckpoints,
  name: string,
  shape: z.ZodType<Found>,
  find: () => Promise<Found>,
): Promise<Found> {
  const json = notes.get(name)
  if (json !== undefined) return shape.parse(JSON.parse(json))
  const found = await find()
  notes.put(name, JSON.stringify(found))
  return found
}
