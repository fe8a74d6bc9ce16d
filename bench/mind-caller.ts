// A scripted caller with a goal: answers questions from what it knows, and says goodbye when nothing fits any more.
import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'

const Caller = z.strictObject({
  name: z.string(),
  goal: z.string(),
  opens: z.string(),
  /** Answers by a pattern on the agent's words; the first match wins. */
  says: z.record(z.string(), z.string()),
  /** The agent must have said all of these … */
  told: z.array(z.string()).default([]),
  /** … none of these … */
  never: z.array(z.string()).default([]),
  /** … the analysis must find these values … */
  found: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
  /** … and the agent must have hung up. */
  ends: z.boolean().default(false),
})
export type Caller = z.infer<typeof Caller>

const Scene = z.strictObject({
  agent: z.string(),
  greeting: z.string(),
  prompt: z.string(),
  fields: z
    .array(
      z.strictObject({ field_name: z.string(), data_type: z.string(), description: z.string().optional() }),
    )
    .default([]),
  callers: z.array(Caller).length(10),
})
export type Scene = z.infer<typeof Scene>

const folder = new URL('./minds/', import.meta.url)

export async function readScenes(): Promise<Scene[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted()
  return Promise.all(
    names.map(async (name) => Scene.parse(parse(await readFile(new URL(name, folder), 'utf8')))),
  )
}

/** The policy was tuned on this many callers; the others were only scored. */
export const seenCallers = 5

export const farewell = 'no that is all, thank you, good-bye'

/** Answers the last question, or otherwise the whole utterance. An answer is repeated only if nothing else fits. */
export function answerer({ says }: Caller): (words: string) => string {
  const said = new Set<string>()
  return (words) => {
    const question = words.split(/(?<=[.!?])\s+/).findLast((sentence) => sentence.endsWith('?')) ?? ''
    // "What else?" is answered when there is nothing else.
    const fitting = [question, words]
      .flatMap((text) => Object.keys(says).filter((one) => text && new RegExp(one, 'is').test(text)))
      .toSorted((one, other) => Number(one === 'else') - Number(other === 'else'))
    const pattern = fitting.find((one) => !said.has(one)) ?? fitting[0]
    if (pattern === undefined) return farewell
    said.add(pattern)
    return says[pattern] ?? farewell
  }
}
