// `parley pronunciations …`: how words are said in the calls of a workspace.
import { Id, NewPronunciation, type StoredPronunciation } from '@parley/contract'
import type { Command } from 'commander'
import { committed } from '../http/work.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { agents } from '../resources/agents/agents.ts'
import { type Pronunciations, pronunciations } from '../resources/pronunciations/pronunciations.ts'
import type { Shell } from './shell.ts'
import { inWorkspace } from './workspace-option.ts'

interface InWorkspace {
  workspace: string
}

interface AddOptions extends InWorkspace {
  sayAs?: string
  ipa?: string
  language?: string
  agent?: string
}

export function addPronunciationCommands(group: Command, { withInfrastructure, checked }: Shell): void {
  const command = (name: string) => inWorkspace(group.command(name), 'whose dictionary')

  command('list').action(({ workspace }: InWorkspace) =>
    withInfrastructure((infrastructure) => allEntries(rulesOf(infrastructure), workspace)),
  )
  command('add')
    .argument('<written>', 'as it stands in the text')
    .option('--say-as <text>', 'spelled as it sounds')
    .option('--ipa <sounds>', 'in the International Phonetic Alphabet')
    .option('--language <code>', 'only in calls in this language')
    .option('--agent <id>', 'only in calls of this agent')
    .action((written: string, { workspace, sayAs, ipa, language, agent }: AddOptions) =>
      withInfrastructure((infrastructure) => {
        const wish = checked(NewPronunciation, { written, say_as: sayAs, ipa, language, agent_id: agent })
        return committed(infrastructure.db, (work) => rulesOf(infrastructure).create(workspace, wish, work))
      }),
    )
  command('remove')
    .argument('<id>')
    .action((id: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) => rulesOf(infrastructure).remove(workspace, checked(Id, id))),
    )
}

const rulesOf = ({ db, vault }: Infrastructure): Pronunciations =>
  pronunciations({ db, agents: agents(db, vault, { references: [] }) })

async function allEntries(rules: Pronunciations, workspaceId: string): Promise<StoredPronunciation[]> {
  const found: StoredPronunciation[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await rules.list(workspaceId, {}, { page, limit: 100 })
    found.push(...data)
    if (!pagination.has_next_page) return found
  }
}
