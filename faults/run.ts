// Runs every disaster at full length and stores what it found in faults/results.md. The exit code tells whether anything was lost.
//   node faults/run.ts [script …] [-- options of the scripts]   only these; the results of the others are kept
import { type ResultsPage, runScript, scriptsAsked, writeSection } from '../bench/results-page.ts'

const scripts = [
  'kill-under-writes',
  'hostile-receivers',
  'hostile-requests',
  'hostile-sip',
  'hostile-rtp',
  'trunk-away',
  'webhook-crashes',
  'call-workers-killed',
  'telephone-workers-killed',
  'edge-workers-killed',
  'batch-workers-killed',
  'transcribers-killed',
  'ten-thousand-calls',
  'database-failover',
  'rolling-upgrade',
]

const page: ResultsPage = {
  scripts,
  file: new URL('./results.md', import.meta.url),
  heading: `# What was broken on purpose

Written by \`make faults\`. Each script says in its first lines what it does, and ends with what it found.
`,
}

for (const script of scriptsAsked(page)) {
  const { printed, kept } = await runScript(new URL(`./${script}.ts`, import.meta.url))
  if (!kept) process.exitCode = 1
  const result = `\`\`\`text\n${printed.trim() || 'It broke off.'}\n\`\`\``
  await writeSection(page, script, result)
}
