// Measures every claim, one after the other, and writes bench/results.md.
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { measure as measureAgents } from './agents-through-the-pipeline.ts'
import { measure as measureBargeIn } from './barge-in.ts'
import { measure as measureBesideLiveKit } from './beside-livekit.ts'
import { measure as measureBrowser } from './browser-first-audio.ts'
import { measure as measureCallsPerCore } from './calls-per-core.ts'
import { measure as measureMind } from './embedded-mind.ts'
import { measure as measureSpokenMind } from './embedded-mind-spoken.ts'
import { measure as measureEndOfTurn } from './end-of-turn.ts'
import { measure as measureFramePath } from './frame-path.ts'
import { measure as measureGreeting } from './greeting.ts'
import { measure as measureOwnShare } from './own-share-of-a-turn.ts'
import { asTable, type Row } from './row.ts'
import { measure as measureSandboxCall } from './sandbox-call.ts'
import { measure as measureStart } from './start-and-memory.ts'
import { measure as measureBlackHole } from './webhook-black-hole.ts'
import { measure as measurePunctuality } from './webhook-punctuality.ts'
import { measure as measureThroughput } from './webhook-throughput.ts'

const rows: Row[] = []
const claims = [
  measureAgents,
  measureStart,
  measureThroughput,
  measurePunctuality,
  measureBlackHole,
  measureFramePath,
  measureCallsPerCore,
  measureOwnShare,
  measureBargeIn,
  measureGreeting,
  measureEndOfTurn,
  measureMind,
  measureSpokenMind,
  measureSandboxCall,
  measureBesideLiveKit,
  measureBrowser,
]
for (const measure of claims) rows.push(...(await measure()))

const page = `# Measurements

Written by \`make bench\` on ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, Node ${process.version}. \
Service, database and load share the machine. Ours and the yardstick ran by turns; the median is given, and the \
least and the most between brackets.

${asTable(rows)}
`
await writeFile(new URL('./results.md', import.meta.url), page)
console.log(page)
if (rows.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = 1
