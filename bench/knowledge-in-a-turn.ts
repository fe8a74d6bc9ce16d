// What the knowledge base adds to a turn: from asking the mind to its first word, with and without looking things up.
//
// The built-in policy, which also chooses the sentence to read out; a model begins with less. All sixty questions,
// alternately with and without, to three chapters of the manual.

import { dialoguePolicy } from '../server/src/engines/dialogue/dialogue-policy.ts'
import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import { groundedModel } from '../server/src/mind/grounded-model.ts'
import { newId } from '../server/src/platform/ids.ts'
import type { LanguageModel } from '../server/src/ports/language-model.ts'
import { chunksOf, searchable } from '../server/src/resources/knowledge-base/chunks.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { readManual, readQuestions } from './knowledge/manual.ts'
import { openKnowledgeFixture } from './knowledge-fixture.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const targetMs = 40
const system = { role: 'system', content: 'You are the help desk of Falcot.' } as const

async function firstWordMs(mind: LanguageModel, question: string): Promise<number> {
  const { signal } = new AbortController()
  const messages = [system, { role: 'user', content: question } as const]
  const begunMs = performance.now()
  for await (const part of mind.reply({ messages, tools: [] }, signal))
    if (part.type === 'text') return performance.now() - begunMs
  throw new Error('the mind said nothing')
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

export async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const pages = absent
    ? undefined
    : await readManual(['sect.apt-get.html', 'sect.monitoring.html', 'sect.selinux.html'])
  if (!pages) return []
  const questions = (await readQuestions()).answered.map(({ question }) => question)
  // As in a service: one embedder for calls, another for the knowledge base.
  const [ofCalls, ofSearch] = [miniLmEmbedder({ folder }), miniLmEmbedder({ folder })]
  const embedder = { name: 'all-MiniLM-L6-v2', embed: ofSearch.embed }
  const fixture = await openKnowledgeFixture()
  try {
    const repositoryId = await fixture.newRepository()
    for (const { name, parsed } of pages) {
      const chunks = chunksOf(parsed.blocks, { chunkSize: 512, chunkOverlap: 128 })
      const vectors = await embedder.embed(chunks.map(searchable))
      const made = chunks.map((chunk, place) => ({ ...chunk, chunkId: newId(), vector: vectors[place] }))
      await fixture.addDocument(repositoryId, name, made, embedder.name)
    }
    const search = fixture.openSearch(embedder)
    await search.prepare([repositoryId])
    const plan = { repositoryIds: [repositoryId], isOnlySource: true }
    const knowledge = { search: search.search, prepare() {} }
    const [bare, ours]: [number[], number[]] = [[], []]
    for (const question of [...questions.slice(0, 5), ...questions]) {
      // New minds are used, because a mind remembers what it has embedded.
      bare.push(await firstWordMs(dialoguePolicy(ofCalls), question))
      const mind = groundedModel(dialoguePolicy(ofCalls), {
        knowledge,
        plan,
        readsPrompt: false,
        onTrouble() {},
      })
      ours.push(await firstWordMs(mind, question))
    }
    const added = ours.map((ms, place) => ms - (bare[place] ?? 0)).slice(5)
    await search.close()
    const p95 = percentile(added, 0.95)
    return [
      {
        claim: 'what looking up and choosing a sentence adds to the time to the first word',
        measured: `p50 ${percentile(added, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        yardstick: `without it p50 ${percentile(bare, 0.5).toFixed(1)} ms, p95 ${percentile(bare, 0.95).toFixed(1)} ms`,
        ratio: '',
        target: `p95 ≤ ${targetMs} ms`,
        verdict: verdict(p95 <= targetMs),
      },
    ]
  } finally {
    await fixture.close()
    await Promise.all([ofCalls.close(), ofSearch.close()])
  }
}

await printIfMain(import.meta.url, measure)
