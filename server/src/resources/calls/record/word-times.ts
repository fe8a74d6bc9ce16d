// When each word of the caller began, by what the transcriber said of its own words. Pure.
import type { TranscriptEntry } from '../../../ports/call.ts'

/** Nothing if it is not known. Of the agent only whole clauses are timed. */
export function wordTimesOf({ role, content, startSeconds, parts = [] }: TranscriptEntry): {
  word_times?: number[]
} {
  if (role !== 'user' || parts.length === 0) return {}
  const timed: { readonly end: number; readonly startSeconds: number }[] = []
  let at = 0
  for (const part of parts) {
    const place = content.indexOf(part.text, at)
    if (place < 0) return {}
    at = place + part.text.length
    timed.push({ end: at, startSeconds: part.startSeconds })
  }
  // A word may be several pieces of the transcriber, and what follows the last of them is no word of its.
  const startOf = (place: number) =>
    (timed.find(({ end }) => end > place) ?? timed.at(-1))?.startSeconds ?? startSeconds
  return { word_times: [...content.matchAll(/\S+/g)].map(({ index }) => startOf(index)) }
}
