// Writes docs/agent-fields.md: what each setting of an agent does, per vendor, and the test that would notice.
import { writeFile } from 'node:fs/promises'
import { type AgentField, sections, testsOf, vendorsOf, withoutEffect } from './agent-fields.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const fileName = (path: string): string => path.split('/').at(-1) ?? path

function rowOf({ path, effect, usual }: AgentField, section: string): string {
  const key = path.slice(section.length + 1)
  const tests = testsOf(path)
    .map((test) => `[${fileName(test)}](../${test})`)
    .join(', ')
  const noticed = tests || `no effect: ${withoutEffect[path]}`
  return `| \`${key}\` | ${cell(effect)} | ${usual === undefined ? '' : `\`${usual}\``} | ${noticed} |`
}

function vendorTable({ path }: AgentField): string {
  const uses = vendorsOf(path)
  if (uses.length === 0) return ''
  const rows = uses.map(
    ({ vendor, becomes }) => `| ${vendor} | ${becomes === null ? 'has nothing like it' : cell(becomes)} |`,
  )
  return `### \`${path}\`\n\n| vendor | what becomes of it |\n|---|---|\n${rows.join('\n')}\n`
}

export function agentFieldsDoc(): string {
  const parts = Object.entries(sections).map(([section, fields]) => {
    const rows = fields.map((field) => rowOf(field, section)).join('\n')
    const vendors = fields.map(vendorTable).filter(Boolean).join('\n')
    return `## \`${section}\`\n\n| key | effect | default | tests |\n|---|---|---|---|\n${rows}\n${vendors && `\n${vendors}`}`
  })
  return `# What each setting of an agent does

The keys of \`agent_config\` that say how an agent hears, speaks, thinks, behaves and is analysed: the effect as the API reference has it, the
default, and the tests that fail when the key is ignored. Where a vendor does the work, the tables say what becomes of a key there; what a
vendor lacks is said in the notes of a call that asks for it. The offline engines take \`voice\`, \`language\`, \`speed\` and pronunciations. This page is
written from the code by \`make docs\`.

${parts.join('\n')}`
}

if (import.meta.main) await writeFile(new URL('../docs/agent-fields.md', import.meta.url), agentFieldsDoc())
