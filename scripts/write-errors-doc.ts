// Writes docs/errors.md from the error table in contract/src/errors.ts.
import { writeFile } from 'node:fs/promises'
import { errors } from '../contract/src/errors.ts'

/** In the order of the specification. */
const statuses: Readonly<Record<number, string>> = {
  400: 'Correct the request',
  401: 'Who are you?',
  403: 'Not for you',
  404: 'Not there',
  411: 'Which workspace?',
  429: 'Too many requests',
  500: 'Our fault',
}

export function errorsDoc(): string {
  const sections = Object.entries(statuses).map(([status, title]) => {
    const rows = Object.entries(errors)
      .filter(([, [at]]) => at === Number(status))
      .map(
        ([code, [, sentence, cause, mend]]) =>
          `| <a id="${code}"></a>\`${code}\` | ${sentence} | ${cause} | ${mend} |`,
      )
    return `## ${status}: ${title}\n\n| code | message | cause | what to do |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Error codes

Every refusal has the same body, and \`code\` in it is one of these. Branch on the code; the message is for people, and is
sometimes more precise than the one here. How to retry is in [retries and errors](guide/retries-and-errors.md). This page is written
from the code by \`make docs\`.

${sections.join('\n')}`
}

if (import.meta.main) await writeFile(new URL('../docs/errors.md', import.meta.url), errorsDoc())
