// Results of earlier attempts, validated when they are read back from the database.
import { z } from 'zod'
import type { TranscriptionCheckpoints } from '../../ports/transcription.ts'

export const LanguageCheckpoint = z.object({ language: z.string(), confidence: z.number().nullable() })

export const WordsCheckpoint = z.array(
  z.object({ text: z.string(), fromMs: z.number(), toMs: z.number(), confidence: z.number() }),
)

/** Returns the stored result, or computes and stores it. */
export async function checkpointed<Found>(
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
