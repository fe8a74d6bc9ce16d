// Writes docs/configuration.md from the settings in server/src/platform/settings.ts.
import { writeFile } from 'node:fs/promises'
import { chapters } from '../server/src/platform/settings.ts'

export function configurationDoc(): string {
  const told = chapters.map(({ title, lead, rows }) => {
    const lines = Object.entries(rows).map(
      ([name, { preset, about }]) => `| \`${name}\` | ${preset ? `\`${preset}\`` : '–'} | ${about} |`,
    )
    return `## ${title}\n\n${lead}\n\n| setting | default | meaning |\n|---|---|---|\n${lines.join('\n')}\n`
  })
  return `# Configuration

Every setting is an environment variable, read once at start. An empty value counts as unset. A value that does not fit
stops the start with one sentence that names the setting. This page is written from the code by \`make docs\`.

${told.join('\n')}`
}

if (import.meta.main)
  await writeFile(new URL('../docs/configuration.md', import.meta.url), configurationDoc())
