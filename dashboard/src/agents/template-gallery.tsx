// The templates that a new agent can begin with.
import { agentTemplates } from '@parley/contract/agent-templates'
import { Link } from '../router.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { When } from '../ui/words/when.tsx'
import { keptDraft } from './kept-draft.ts'

const directions = { inbound: 'Takes calls', outbound: 'Places calls' }

export function TemplateGallery({ workspaceId }: { workspaceId: string }) {
  const kept = keptDraft({ workspaceId, agentId: 'new' })
  return (
    <div className="space-y-5">
      {kept && (
        <p role="status" className="rounded-lg bg-accent-soft px-3.5 py-3 text-accent-ink">
          You began an agent <When at={kept.keptAt} /> and did not create it.{' '}
          <Link to="/agents/new?template=blank" className="font-medium underline">
            Go on with it
          </Link>
        </p>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Object.entries(agentTemplates).map(([name, template]) => (
          <Card key={name} to={`/agents/new?template=${name}`} title={template.name} about={template.about}>
            <Badge tone={template.direction === 'inbound' ? 'good' : 'accent'}>
              {directions[template.direction]}
            </Badge>
          </Card>
        ))}
        <Card
          to="/agents/new?template=blank"
          title="From scratch"
          about="An empty prompt, and the defaults for the rest."
        />
      </ul>
      <p className="text-[0.8125rem] text-muted">
        Every template works at once, also without a language model: the built-in policy follows its prompt.
      </p>
    </div>
  )
}

interface CardProps {
  to: string
  title: string
  about: string
  children?: React.ReactNode
}

function Card({ to, title, about, children }: CardProps) {
  return (
    <li className="relative flex flex-col items-start gap-2 rounded-xl border border-line bg-surface p-4 shadow-card transition-colors hover:border-accent has-focus-visible:border-accent">
      <Link
        to={to}
        className="font-semibold after:absolute after:inset-0 after:rounded-xl after:content-['']"
      >
        {title}
      </Link>
      <p className="flex-1 text-[0.8125rem] text-muted">{about}</p>
      {children}
    </li>
  )
}
