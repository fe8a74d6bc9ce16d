// The tab of tools: those of the workspace, those of the call itself, and the people to whom calls are transferred.
import { useQuery } from '@tanstack/react-query'
import { everyTool } from '../../api.ts'
import { Link } from '../../router.tsx'
import { useWorkspaces } from '../../session/workspace.tsx'
import { RefusalNotice } from '../../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx'
import { useField } from '../../ui/forms/form.tsx'
import { JsonValueField } from '../../ui/forms/json-value-field.tsx'
import { RowsField } from '../../ui/forms/rows-field.tsx'
import { isTree, type Tree } from '../../ui/forms/tree.ts'
import { Section } from '../../ui/layout/section.tsx'
import { Badge } from '../../ui/words/badge.tsx'
import { ChoiceList } from '../choice-list.tsx'

const kinds = { http: 'Request', mcp: 'MCP server', built_in: 'Built in' }

export function ToolsTab() {
  return (
    <>
      <Section
        title="Tools"
        lead={
          <>
            Requests to your systems and MCP servers of this workspace. They need a language model that can
            call tools.
          </>
        }
      >
        <StoredTools />
      </Section>
      <Section title="Built-in tools" lead="What the agent may do with the call itself.">
        <BuiltIn />
      </Section>
      <Section title="Transfers" lead="The only people to whom the agent may connect a caller.">
        <RowsField
          path="call_transfer_config.destinations"
          label="Destinations"
          one="destination"
          fresh={{ name: '', to_phone_number: '', mode: 'cold' }}
          columns={[
            { key: 'name', label: 'Name', placeholder: 'Front desk' },
            { key: 'to_phone_number', label: 'Number or sip: address', placeholder: '+15550114' },
            { key: 'mode', label: 'How', options: { cold: 'Connect at once', warm: 'Speak to them first' } },
            {
              key: 'message',
              label: 'What they are told first (warm transfer)',
              placeholder: 'A patient has a question.',
            },
          ]}
        />
      </Section>
      <Section
        title="Tools in the agent itself"
        lead="The older way, as JSON; tools of the workspace can be tried and shared."
      >
        <JsonValueField
          path="api_tools.tools"
          label="Tools"
          rows={4}
          hint="A list of {name, description, parameters, pre_call_message, key}. Default: none."
        />
        <JsonValueField
          path="api_tools.tools_params"
          label="Their requests"
          rows={4}
          hint="By name: {url, method, headers, param}. Default: none."
        />
      </Section>
    </>
  )
}

function StoredTools() {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const tools = useQuery({ queryKey: ['tools', workspaceId, 'every'], queryFn: () => everyTool(workspaceId) })
  if (tools.isPending) return <ListSkeleton rows={2} />
  if (tools.isError) return <RefusalNotice error={tools.error} />
  return (
    <ChoiceList
      path="tool_definition_ids"
      label="Tools of this workspace"
      empty={
        <>
          There are none yet.{' '}
          <Link to="/tools/new" className="underline">
            Make one
          </Link>
          , and it can be chosen here.
        </>
      }
      items={tools.data.map(({ tool_id, name, type, description, url }) => ({
        id: tool_id,
        name,
        badge: <Badge tone="off">{kinds[type]}</Badge>,
        about: description || url || 'A tool of the call itself',
        to: `/tools/${tool_id}`,
      }))}
    />
  )
}

const builtIn = {
  end_call: ['Hang up', 'When everything has been said.'],
  send_dtmf: ['Press keys', 'To get through a menu.'],
  set_variable: ['Keep a value', 'Under a name, for later in the call and for its record.'],
  transfer_call: [
    'Transfer',
    'There by itself as soon as there is a destination below; this gives it a description.',
  ],
} as const

type BuiltInName = keyof typeof builtIn

/** The built-in tools, which stand in `api_tools.tools` beside those of the workspace. */
function BuiltIn() {
  const { value, set } = useField('api_tools.tools')
  const tools = Array.isArray(value) ? value : []
  const at = (key: string) => tools.findIndex((tool) => isTree(tool) && tool.key === key)
  const toggle = (key: BuiltInName) => {
    const place = at(key)
    const tool: Tree = { name: key, key, description: builtIn[key][1] }
    set(place < 0 ? [...tools, tool] : tools.toSpliced(place, 1))
  }
  return (
    <ul className="space-y-3">
      {(Object.keys(builtIn) as BuiltInName[]).map((key) => (
        <li key={key}>
          <label className="flex items-start gap-2.5">
            <input
              type="checkbox"
              checked={at(key) >= 0}
              onChange={() => toggle(key)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block text-[0.8125rem] font-medium">{builtIn[key][0]}</span>
              <span className="block text-[0.8125rem] text-muted">{builtIn[key][1]} Default: off.</span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
