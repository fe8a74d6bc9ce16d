// How often the passage that answers a question is among the five best: by meaning and words, by meaning alone, by words
// alone, on the half of the questions that the search was not tuned by.
//
// A manual of 540 pages, 60 questions with the passage that answers each, and 30 that it does not answer; the questions
// are older than the search. `node bench/knowledge-recall.ts --half A` shows the half that it was tuned by, question by question.

import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import { leastScore } from '../server/src/mind/grounded-model.ts'
import { newId } from '../server/src/platform/ids.ts'
import type { NamedEmbedder } from '../server/src/ports/embedder.ts'
import type { Passage } from '../server/src/ports/knowledge.ts'
import { chunksOf, searchable } from '../server/src/resources/knowledge-base/chunks.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type ManualPage, type Questions, readManual, readQuestions } from './knowledge/manual.ts'
import { type KnowledgeFixture, openKnowledgeFixture } from './knowledge-fixture.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const sizes = { chunkSize: 512, chunkOverlap: 128 }

async function addManual(
  fixture: KnowledgeFixture,
  pages: readonly ManualPage[],
  embedder: NamedEmbedder,
): Promise<string> {
  const repositoryId = await fixture.newRepository()
  for (const { name, parsed } of pages) {
    const chunks = chunksOf(parsed.blocks, sizes)
    const vectors = await embedder.embed(chunks.map(searchable))
    const made = chunks.map((chunk, place) => ({ ...chunk, chunkId: newId(), vector: vectors[place] }))
    await fixture.addDocument(repositoryId, parsed.title ?? name, made, embedder.name)
  }
  return repositoryId
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ')

/** A quotation may be cut by the end of a passage: half of its words have to be there, in order. */
function holds({ text }: Passage, quotation: string): boolean {
  const words = quotation.split(' ')
  const half = Math.ceil(words.length / 2)
  const parts = [quotation, words.slice(0, half).join(' '), words.slice(-half).join(' ')]
  return parts.some((part) => part.split(' ').length >= 3 && squeezed(text).includes(part))
}

interface Result {
  readonly found: number
  readonly first: number
  readonly asked: number
  /** Best scores of questions with and without an answer. */
  readonly answeredScores: readonly number[]
  readonly unansweredScores: readonly number[]
  readonly missed: readonly string[]
}

async function judge(
  search: (query: string) => Promise<readonly Passage[]>,
  { answered, unanswered }: Questions,
  half: 'A' | 'B',
): Promise<Result> {
  const result = { found: 0, first: 0, asked: 0 }
  const [answeredScores, unansweredScores, missed]: [number[], number[], string[]] = [[], [], []]
  for (const { question, passage } of answered.filter((one) => one.half === half)) {
    const passages = await search(question)
    const place = passages.findIndex((one) => holds(one, passage))
    result.asked++
    if (place >= 0) result.found++
    else missed.push(question)
    if (place === 0) result.first++
    answeredScores.push(passages[0]?.score ?? 0)
  }
  for (const { question } of unanswered.filter((one) => one.half === half))
    unansweredScores.push((await search(question))[0]?.score ?? 0)
  return { ...result, answeredScores, unansweredScores, missed }
}

export async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const pages = absent ? undefined : await readManual()
  if (!pages) return []
  const half = process.argv.includes('A') ? 'A' : 'B'
  const questions = await readQuestions()
  const { embed, close } = miniLmEmbedder({ folder })
  const embedder = { name: 'all-MiniLM-L6-v2', embed }
  const fixture = await openKnowledgeFixture()
  try {
    const repositoryId = await addManual(fixture, pages, embedder)
    const results: Record<string, Result> = {}
    for (const by of ['both', 'meaning', 'words'] as const) {
      const search = fixture.openSearch(embedder, by)
      results[by] = await judge(
        (query) => search.search({ repositoryIds: [repositoryId], query, topK: 5 }),
        questions,
        half,
      )
      await search.close()
    }
    return rowsOf(results as Record<'both' | 'meaning' | 'words', Result>, half)
  } finally {
    await fixture.close()
    await close()
  }
}

const share = (count: number, of: number) => `${count} of ${of} (${Math.round((100 * count) / of)} %)`

function rowsOf({ both, meaning, words }: Record<'both' | 'meaning' | 'words', Result>, half: string): Row[] {
  if (half === 'A') console.error({ both, meaning, words })
  const kept = both.answeredScores.filter((score) => score >= leastScore).length
  const refused = both.unansweredScores.filter((score) => score < leastScore).length
  return [
    {
      claim: `recall@5 of a question to a manual of 540 pages, half ${half}`,
      measured: `by meaning and words ${share(both.found, both.asked)}, first ${both.first}`,
      yardstick: `by meaning ${share(meaning.found, meaning.asked)}; by words ${share(words.found, words.asked)}`,
      ratio: (both.found / Math.max(meaning.found, words.found, 1)).toFixed(2),
      target: 'not below either alone',
      verdict: verdict(both.found >= Math.max(meaning.found, words.found)),
    },
    {
      claim: `questions that are told apart by their score of ${leastScore}, half ${half}`,
      measured: `${share(refused, both.unansweredScores.length)} without an answer are refused`,
      yardstick: `${share(kept, both.answeredScores.length)} with an answer are kept`,
      ratio: '',
      target: '',
      verdict: 'no target',
    },
  ]
}

await printIfMain(import.meta.url, measure)
