// Measures the claims, one script after the other, and keeps what each printed in bench/results.md.
//   node bench/run.ts [script …]   only these; what the others printed before stays as it was
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeLeaving } from './leave-nothing.ts'

const scripts = [
  'agents-through-the-pipeline',
  'start-and-memory',
  'webhook-throughput',
  'webhook-punctuality',
  'webhook-black-hole',
  'batch-create',
  'batch-dispatch',
  'frame-path',
  'calls-per-core',
  'own-share-of-a-turn',
  'barge-in',
  'greeting',
  'end-of-turn',
  'embedded-mind',
  'embedded-mind-spoken',
  'sandbox-call',
  'browser-first-audio',
  'beside-livekit',
  'transcription-word-errors',
  'transcription-speed',
  'transcription-alignment',
  'transcription-diarization',
  'engine-memory',
]

const page = new URL('./results.md', import.meta.url)
const heading = `# Measurements

Written by \`make bench\`. Service, database and load share the machine. Ours and the yardstick ran by turns; the median is
given, and the least and the most between brackets. \`make bench only="greeting barge-in"\` measures some of them again.
`

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !scripts.includes(name))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${scripts.join(', ')}.`)

const sections = await sectionsSoFar()
for (const script of asked.length > 0 ? asked : scripts) {
  const { printed, kept } = await run(script)
  if (!kept) process.exitCode = 1
  const section = `${script}\n\n${circumstances()}\n\n${printed.trim()}\n`
  console.log(`## ${section}`)
  sections.set(script, section)
  await writeFile(page, pageOf())
}

async function run(script: string): Promise<{ printed: string; kept: boolean }> {
  const file = fileURLToPath(new URL(`./${script}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Not SIGKILL: the script has children and folders of its own to see to.
  const duty = beforeLeaving(() => child.kill('SIGTERM'))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  duty.callOff()
  return { printed: printed || 'It broke off.', kept: code === 0 }
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

/** In the order of the list; what is no longer measured is left out. */
function pageOf(): string {
  const measured = scripts.flatMap((script) => sections.get(script) ?? [])
  return [heading, ...measured.map((section) => `## ${section}`)].join('\n')
}
