// Writes docs/agent-fields.md: what each setting of an agent does, per vendor, and the test that would notice.
import { writeFile } from 'node:fs/promises'
import {
  type AgentField,
  hasOwnKeys,
  type OwnOptionsTable,
  ownOptions,
  sections,
  testOf,
  vendorsOf,
  withoutEffect,
} from './agent-fields.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const fileName = (path: string): string => path.split('/').at(-1) ?? path

function noticedBy(path: string): string {
  const test = testOf(path)
  if (test === undefined) return `no effect: ${withoutEffect[path]}`
  return hasOwnKeys(path) ? 'see its keys' : `[${fileName(test)}](../${test})`
}

function rowOf({ path, effect, usual }: AgentField, section: string): string {
  const key = path.slice(section.length + 1)
  return `| \`${key}\` | ${cell(effect)} | ${usual === undefined ? '' : `\`${usual}\``} | ${noticedBy(path)} |`
}

function vendorTable({ path }: AgentField): string {
  const uses = vendorsOf(path)
  if (uses.length === 0) return ''
  const rows = uses.map(
    ({ vendor, becomes }) => `| ${vendor} | ${becomes === null ? 'has nothing like it' : cell(becomes)} |`,
  )
  return `### \`${path}\`\n\n| vendor | what becomes of it |\n|---|---|\n${rows.join('\n')}\n`
}

const ownTable = ({ label, rows }: OwnOptionsTable): string =>
  `### ${label}\n\n| option | value | effect |\n|---|---|---|\n${rows
    .map(({ name, form, effect }) => `| \`${name}\` | ${cell(form)} | ${cell(effect)} |`)
    .join('\n')}\n`

export function agentFieldsDoc(): string {
  const parts = Object.entries(sections).map(([section, fields]) => {
    const rows = fields.map((field) => rowOf(field, section)).join('\n')
    const vendors = fields.map(vendorTable).filter(Boolean).join('\n')
    return `## \`${section}\`\n\n| key | effect | default | test |\n|---|---|---|---|\n${rows}\n${vendors && `\n${vendors}`}`
  })
  return `# What each setting of an agent does

The keys of \`agent_config\` that say how an agent hears, speaks, thinks, behaves and is analysed: the effect as the API reference has it, the
default, and the file with the test that fails when the key is ignored; its name begins with the key. Where a vendor does the work, the tables say
what becomes of a key there; what a vendor lacks is said in the notes of a call that asks for it. The offline engines take \`voice\`, \`language\`, \`speed\` and pronunciations. This page is
written from the code by \`make docs\`.

${parts.join('\n')}
## Options of the voices' own

In \`synthesizer.provider_config\`, beside the keys above, under the vendor's own names; of names with a dot, the last part is enough. What a vendor
does not have is a warning when the agent is saved, and is not sent.

${ownOptions.voices.map(ownTable).join('\n')}
## Options of recognition's own

In \`api_tools.transcriber.provider_config\`: the specification closes \`transcriber\`.

${ownOptions.recognition.map(ownTable).join('\n')}`
}

if (import.meta.main) await writeFile(new URL('../docs/agent-fields.md', import.meta.url), agentFieldsDoc())
