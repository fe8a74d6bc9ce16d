// Writes docs/configuration.md from the table of settings in server/src/platform/settings.ts.
import { writeFile } from 'node:fs/promises'
import { settings } from '../server/src/platform/settings.ts'

export function configurationDoc(): string {
  const rows = Object.entries(settings).map(
    ([name, { preset, about }]) => `| \`${name}\` | ${preset ? `\`${preset}\`` : '–'} | ${about} |`,
  )
  return `# Configuration

Every setting is an environment variable, read once at start. An empty value counts as unset. A value that does not fit
stops the start with one sentence that names the setting. This page is written from the code by \`make docs\`.

| setting | default | meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main)
  await writeFile(new URL('../docs/configuration.md', import.meta.url), configurationDoc())
