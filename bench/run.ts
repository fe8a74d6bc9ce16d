// Runs the benchmarks one by one and stores their output in bench/results.md.
//   node bench/run.ts [script …] [-- options of the scripts]   only these; the results of the others are kept
import { existsSync } from 'node:fs'
import { type ResultsPage, runScript, scriptsAsked, writeSection } from './results-page.ts'
import { notMeasured } from './row.ts'

const scripts = [
  'agents-through-the-pipeline',
  'clean-clone',
  'start-and-memory',
  'webhook-throughput',
  'webhook-punctuality',
  'webhook-black-hole',
  'batch-create',
  'batch-dispatch',
  'scale-out',
  'usage',
  'calls-list',
  'growth',
  'commits-per-call',
  'dashboard-page',
  'frame-path',
  'calls-per-core',
  'tracing',
  'own-share-of-a-turn',
  'barge-in',
  'own-voice',
  'voice-word-errors',
  'greeting',
  'sip-greeting',
  'who-answered',
  'end-of-turn',
  'thinking-ahead',
  'embedded-mind',
  'embedded-mind-spoken',
  'analysis-truth',
  'knowledge-recall',
  'knowledge-search',
  'knowledge-indexing',
  'knowledge-in-a-turn',
  'sip-set-ups',
  'sandbox-call',
  'vendor-streams',
  'vendor-calls',
  'sip-calls-per-core',
  'beside-busy-machine',
  'sip-loss',
  'sip-delay',
  'sip-mouth-to-ear',
  'browser-first-audio',
  'beside-livekit',
  'transcription-word-errors',
  'transcription-speed',
  'transcription-alignment',
  'masked-words',
  'transcription-diarization',
  'whisper-window',
  'spoken-languages',
  'engine-memory',
]

const page: ResultsPage = {
  scripts,
  file: new URL('./results.md', import.meta.url),
  heading: `# Measurements

Written by \`make bench\`. Service, database and load share the machine. Ours and the yardstick ran by turns; the median is
given, and the least and the most between brackets. \`make bench only="greeting barge-in"\` measures some of them again.
`,
}
const fileOf = (script: string) => new URL(`./${script}.ts`, import.meta.url)

const missing = scripts.filter((name) => !existsSync(fileOf(name)))
if (missing.length > 0) throw new Error(`bench/run.ts lists scripts without a file: ${missing.join(', ')}.`)

for (const script of scriptsAsked(page)) {
  const { printed, kept } = await runScript(fileOf(script))
  if (!kept) process.exitCode = 1
  // The results of an earlier run are better than none.
  if (printed === '' || printed.startsWith(notMeasured))
    console.log(`## ${script}\n\n${printed || 'It broke off.'}\n`)
  else await writeSection(page, script, printed)
}
