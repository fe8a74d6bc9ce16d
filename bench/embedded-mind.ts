// Measures the built-in dialogue policy: ten everyday agents, ten scripted callers each, goals reached or not.
//
// Text only: what callers say goes through the call's own conversation and reply logic to the policy and back; nothing
// is spoken or misheard. `node bench/embedded-mind.ts --why` prints the conversations of the seen callers that failed.
import type { TranscriptLine } from '../contract/src/index.ts'
import { withCallTools } from '../server/src/call/think/call-tools.ts'
import { Conversation } from '../server/src/call/think/conversation.ts'
import { Reply } from '../server/src/call/think/reply.ts'
import { analyseEmbedded } from '../server/src/engines/analysis/analyse.ts'
import { dialoguePolicy } from '../server/src/engines/dialogue/dialogue-policy.ts'
import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import type { Embedder } from '../server/src/ports/embedder.ts'
import type { ToolBox } from '../server/src/ports/tools.ts'
import { wishesOf } from '../server/src/resources/calls/plan/plan-analysis.ts'
import { readModel } from '../server/src/resources/calls/plan/read-model.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { answerer, type Caller, farewell, readScenes, type Scene, seenCallers } from './mind-caller.ts'
import { missingOf } from './mind-judge.ts'
import { printIfMain, type Row } from './row.ts'

const mostTurns = 20
// A Sunday: "Friday" is the 20th.
const calledAt = new Date('2026-11-15T10:00:00Z')

const noTools: ToolBox = { descriptions: [], waitingWords: () => undefined, run: async () => '' }

interface Talk {
  readonly lines: readonly TranscriptLine[]
  readonly hungUp: boolean
}

async function talk(scene: Scene, caller: Caller, embedder: Embedder | undefined): Promise<Talk> {
  const lines: TranscriptLine[] = []
  const conversation = new Conversation(({ turn, role, content }) =>
    lines.push({ turn, role, content, start_time: 0, end_time: 0, interrupted: false }),
  )
  const clock = { nowMs: 0 }
  const span = { startMs: 0, endMs: 0 }
  const mind = {
    model: dialoguePolicy(embedder),
    tools: noTools,
    descriptions: withCallTools([], {
      dialogue: { mayEndCall: true, maySendDigits: false, maySetVariables: false },
      transfers: [],
    }),
    transfers: [],
    connecting: '',
  }
  conversation.agentSaid(scene.greeting, span, { interrupted: false })
  const answerTo = answerer(caller)
  let said = caller.opens
  for (let turn = 0; turn < mostTurns; turn++) {
    conversation.callerSaid(said, span)
    const clauses: string[] = []
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const reply = new Reply(mind, clock, {
      onClause: (clause) => clauses.push(clause),
      onDone: () => resolve(false),
      onHangUp: () => resolve(true),
      onFailure: (error) => {
        clauses.push(`[${error}]`)
        resolve(true)
      },
      onToken() {},
      onWords() {},
      onNode() {},
      onSources() {},
      onTool() {},
      onTransfer() {},
      onToolResult() {},
      onUsage() {},
      onWait() {},
    })
    reply.confirm()
    void reply.run([{ role: 'system', content: scene.prompt }, ...conversation.messages()])
    const hungUp = await promise
    const words = clauses.join(' ')
    conversation.agentSaid(words, span, { interrupted: false })
    if (hungUp || said === farewell) return { lines, hungUp }
    said = answerTo(words)
  }
  return { lines, hungUp: false }
}

async function judge(scene: Scene, caller: Caller, { lines, hungUp }: Talk, embedder: Embedder | undefined) {
  const wishes = wishesOf({
    summary: false,
    sentiment: false,
    data_extraction: true,
    data_extraction_fields: scene.fields,
  })
  const plan = { ...wishes, rubric: null, timezone: undefined, model: readModel({}) }
  const { dataExtraction } = await analyseEmbedded(
    { plan, transcript: lines, at: calledAt },
    embedder,
    new AbortController().signal,
  )
  return missingOf(caller, { lines, hungUp, found: dataExtraction ?? {} })
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const embedder = absent ? undefined : miniLmEmbedder({ folder })
  const shows = process.argv.includes('--why')
  const rows: Row[] = []
  const all = { seen: 0, unseen: 0 }
  const scenes = await readScenes()
  for (const scene of scenes) {
    const reached = { seen: 0, unseen: 0 }
    for (const [place, caller] of scene.callers.entries()) {
      const said = await talk(scene, caller, embedder)
      const missing = await judge(scene, caller, said, embedder)
      const half = place < seenCallers ? 'seen' : 'unseen'
      if (missing.length === 0) reached[half]++
      else if (shows && half === 'seen') show(scene, caller, said, missing)
    }
    all.seen += reached.seen
    all.unseen += reached.unseen
    rows.push(rowOf(scene.agent, reached, seenCallers))
  }
  await embedder?.close()
  return [...rows, rowOf('all ten agents', all, seenCallers * scenes.length)]
}

function show(scene: Scene, caller: Caller, { lines }: Talk, missing: readonly string[]): void {
  console.log(`\n${scene.agent}, ${caller.name} (${caller.goal}): ${missing.join('; ')}`)
  for (const { role, content } of lines) console.log(`  ${role}: ${content}`)
}

const rowOf = (agent: string, { seen, unseen }: { seen: number; unseen: number }, each: number): Row => ({
  claim: `embedded mind: ${agent}`,
  measured: `${seen} of ${each} seen callers and ${unseen} of ${each} unseen ones reached their goal`,
  yardstick: 'none',
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

await printIfMain(import.meta.url, measure)
