// One tool: created or changed, and tried with sample arguments.
import type { BodyOf, createTool, dashboard, StoredTool, updateTool } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { go, useLeaveGuard } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { SaveBar } from '../ui/forms/save-bar.tsx'
import { changesBetween, type Tree, withValue } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { ToolFields } from './tool-fields.tsx'
import { typeWords } from './tool-words.ts'
import { TryTool } from './try-tool.tsx'

export function NewToolPage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const queries = useQueryClient()
  const form = useForm<Tree>({ type: 'http', name: '' })
  const create = useMutation({
    mutationFn: (draft: Tree) => api.createTool(workspaceId, filled(draft) as BodyOf<typeof createTool>),
    onSuccess: ({ tool_id }) => {
      queries.invalidateQueries({ queryKey: ['tools'] })
      // Its page has the next step: to try it.
      go(`/tools/${tool_id}`, { replace: true })
    },
  })
  return (
    <>
      <PageHeader title="New tool" back={{ to: '/tools', label: 'Tools' }} />
      <Form
        form={form}
        error={create.error}
        needs={voice.createTool}
        onSubmit={(draft) => create.mutate(draft)}
        className="space-y-0"
      >
        <ToolFields type={form.values.type} isNew />
        <div className="flex justify-end border-t border-line pt-5">
          <Button type="submit" kind="primary" needs={voice.createTool} busy={create.isPending}>
            Create tool
          </Button>
        </div>
      </Form>
    </>
  )
}

const filled = (draft: Tree): Tree =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== '' && value !== null))

export function ToolPage({ workspace, toolId }: { workspace: dashboard.Workspace; toolId: string }) {
  const workspaceId = workspace.workspace_id
  const tool = useQuery({
    queryKey: ['tool', workspaceId, toolId],
    queryFn: () => api.tool(workspaceId, toolId),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <RecordShell
      query={tool}
      what="tool"
      list="tools"
      workspace={workspace}
      whyGone="It may have been removed."
    >
      {(tool) => <LoadedTool key={tool.updated_at} workspaceId={workspaceId} tool={tool} />}
    </RecordShell>
  )
}

function LoadedTool({ workspaceId, tool }: { workspaceId: string; tool: StoredTool }) {
  const queries = useQueryClient()
  const toast = useToast()
  const [removing, setRemoving] = useState(false)
  const { tool_id, type, created_at: _c, updated_at: _u, ...before } = tool
  const form = useForm<Tree>(before)
  const { changes, removed } = changesBetween(before, form.values, true)
  const all = removed.reduce((tree, path) => withValue(tree, path, null), changes)
  const changed = Object.keys(all).length > 0
  const save = useMutation({
    mutationFn: () => api.updateTool(workspaceId, tool_id, all as BodyOf<typeof updateTool>),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['tools'] })
      queries.invalidateQueries({ queryKey: ['tool', workspaceId, tool_id] })
      toast('Changes saved')
    },
  })
  const remove = useMutation({
    mutationFn: () => api.deleteTool(workspaceId, tool_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['tools'] })
      toast(`${tool.name} removed`)
      go('/tools', { replace: true })
    },
  })
  useLeaveGuard(changed)
  return (
    <>
      <PageHeader
        title={tool.name}
        back={{ to: '/tools', label: 'Tools' }}
        badge={<Badge tone="off">{typeWords[type]}</Badge>}
        action={
          <Button kind="warning" needs={voice.deleteTool} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        }
      />
      {type !== 'built_in' && <TryTool workspaceId={workspaceId} tool={tool} unsaved={changed} />}
      <Form
        form={form}
        error={save.error}
        needs={voice.updateTool}
        onSubmit={() => save.mutate()}
        className="space-y-0"
      >
        <ToolFields type={type} isNew={false} />
        <SaveBar changed={changed} busy={save.isPending} needs={voice.updateTool} />
      </Form>
      {removing && (
        <ConfirmDialog
          title={`Remove ${tool.name}?`}
          verb="Remove tool"
          action={remove}
          onClose={() => setRemoving(false)}
        >
          Agents that name it would lose it, so that is refused as long as one does.
        </ConfirmDialog>
      )}
    </>
  )
}
