// `parley pronunciations …`: how words are said in the calls of a workspace.
import { Id, NewPronunciation } from '@parley/contract'
import type { Command } from 'commander'
import { committed } from '../http/work.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { agents } from '../resources/agents/agents.ts'
import { type Pronunciations, pronunciations } from '../resources/pronunciations/pronunciations.ts'
import type { Shell } from './shell.ts'
import { everyPage, type InWorkspace, inWorkspace } from './workspace-option.ts'

interface AddOptions extends InWorkspace {
  sayAs?: string
  ipa?: string
  language?: string
  agent?: string
}

export default function addPronunciationCommands(
  group: Command,
  { withInfrastructure, checked }: Shell,
): void {
  const command = (name: string) => inWorkspace(group.command(name), 'whose dictionary')

  command('list').action(({ workspace }: InWorkspace) =>
    withInfrastructure((infrastructure) =>
      everyPage((page) => rulesOf(infrastructure).list(workspace, {}, page)),
    ),
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
