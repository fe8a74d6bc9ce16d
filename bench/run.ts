// Runs the benchmarks one by one and stores their output in bench/results.md.
//   node bench/run.ts [script …]   only these; the results of the others are kept
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onExit } from './cleanup-on-exit.ts'
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

const page = new URL('./results.md', import.meta.url)
const heading = `# Measurements

Written by \`make bench\`. Service, database and load share the machine. Ours and the yardstick ran by turns; the median is
given, and the least and the most between brackets. \`make bench only="greeting barge-in"\` measures some of them again.
`

const missing = scripts.filter((name) => !existsSync(fileOf(name)))
if (missing.length > 0) throw new Error(`bench/run.ts lists scripts without a file: ${missing.join(', ')}.`)
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !scripts.includes(name))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${scripts.join(', ')}.`)

for (const script of asked.length > 0 ? asked : scripts) {
  const { printed, kept } = await run(script)
  if (!kept) process.exitCode = 1
  // What was measured before is better than nothing.
  if (printed === '' || printed.startsWith(notMeasured)) {
    console.log(`## ${script}\n\n${printed || 'It broke off.'}\n`)
    continue
  }
  const section = `${script}\n\n${circumstances()}\n\n${printed.trim()}\n`
  console.log(`## ${section}`)
  // Read only now: another run may have added to it meanwhile.
  const sections = await sectionsSoFar()
  await writeFile(page, pageOf(sections.set(script, section)))
}

async function run(script: string): Promise<{ printed: string; kept: boolean }> {
  const child = spawn(process.execPath, [fileOf(script)], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Not SIGKILL: the script must clean up its own children and folders.
  const cleanup = onExit(() => child.kill('SIGTERM'))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  cleanup.cancel()
  return { printed, kept: code === 0 }
}

function fileOf(script: string): string {
  return fileURLToPath(new URL(`./${script}.ts`, import.meta.url))
}

function circumstances(): string {
  const on = new Date().toISOString().slice(0, 10)
  return `${on}, ${availableParallelism()} cores, ${process.arch}, Node ${process.version}.`
}

async function sectionsSoFar(): Promise<Map<string, string>> {
  const written = await readFile(page, 'utf8').catch(() => '')
  const found = written.split(/^## /m).slice(1)
  return new Map(found.map((section) => [section.split('\n', 1)[0] as string, `${section.trimEnd()}\n`]))
}

/** In the order of the list; sections of removed scripts are left out. */
function pageOf(sections: ReadonlyMap<string, string>): string {
  const measured = scripts.flatMap((script) => sections.get(script) ?? [])
  return [heading, ...measured.map((section) => `## ${section}`)].join('\n')
}
