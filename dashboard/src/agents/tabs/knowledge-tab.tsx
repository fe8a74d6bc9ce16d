// The tab of knowledge: the repositories of documents in which the agent looks things up.
import type { Repository } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { everyRepository } from '../../api.ts'
import { Link } from '../../router.tsx'
import { useWorkspaces } from '../../session/workspace.tsx'
import { RefusalNotice } from '../../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { ChoiceList } from '../choice-list.tsx'

const types = {
  other: 'By its prompt',
  simple_llm_agent: 'By its prompt (simple_llm_agent)',
  knowledgebase_agent: 'From its repositories alone',
  knowledge_base_agent: 'From its repositories alone (knowledge_base_agent)',
  graph_agent: 'By its graph',
}

function documentWords({ ready, queued, processing, failed }: Repository['document_counts']): string {
  const waiting = queued + processing
  return [
    `${ready.toLocaleString('en')} ${ready === 1 ? 'document' : 'documents'}`,
    waiting > 0 && `${waiting} being read`,
    failed > 0 && `${failed} could not be read`,
  ]
    .filter(Boolean)
    .join(', ')
}

export function KnowledgeTab() {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const repositories = useQuery({
    queryKey: ['repositories', workspaceId, 'every'],
    queryFn: () => everyRepository(workspaceId),
  })
  return (
    <>
      <Section title="Knowledge" lead="Documents in which the agent looks up what callers ask.">
        {repositories.isPending && <ListSkeleton rows={2} />}
        {repositories.isError && <RefusalNotice error={repositories.error} />}
        {repositories.isSuccess && (
          <ChoiceList
            path="repository_ids"
            label="Repositories of this workspace"
            empty={
              <>
                There are none yet.{' '}
                <Link to="/knowledge" className="underline">
                  Make one
                </Link>
                , and it can be chosen here.
              </>
            }
            items={repositories.data.map(({ repository_id, name, description, document_counts }) => ({
              id: repository_id,
              name,
              about: [description, documentWords(document_counts)].filter(Boolean).join(' · '),
              to: `/knowledge/${repository_id}`,
            }))}
          />
        )}
      </Section>
      <Section
        title="Where answers come from"
        lead="Whether the agent may answer with anything that is not in its documents."
      >
        <SelectField
          path="agent_type"
          label="Answers"
          options={types}
          hint="Only from its repositories: it says nothing that is not in them. Default: from its prompt and its repositories."
        />
      </Section>
    </>
  )
}
