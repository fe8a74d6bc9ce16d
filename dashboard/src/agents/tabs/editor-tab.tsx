// The content of the chosen tab.
import type { dashboard } from '@parley/contract'
import type { Tree } from '../../ui/forms/tree.ts'
import type { TabName } from '../tabs.ts'
import { AdvancedTab } from './advanced-tab.tsx'
import { AnalysisTab } from './analysis-tab.tsx'
import { ConversationTab } from './conversation-tab.tsx'
import { KnowledgeTab } from './knowledge-tab.tsx'
import { ModelTab } from './model-tab.tsx'
import { NumbersTab } from './numbers-tab.tsx'
import { PromptTab } from './prompt-tab.tsx'
import { ToolsTab } from './tools-tab.tsx'
import { VoiceTab } from './voice-tab.tsx'

interface EditorTabProps {
  tab: TabName
  agentId: string | undefined
  value: Tree
  onJson(read: { value: Tree } | { broken: string }): void
  /** Places a call with the draft. */
  place(trial: dashboard.Trial): Promise<dashboard.DraftCall>
}

export function EditorTab({ tab, agentId, value, onJson, place }: EditorTabProps) {
  switch (tab) {
    case 'prompt':
      return <PromptTab />
    case 'model':
      return <ModelTab />
    case 'voice':
      return <VoiceTab place={place} />
    case 'conversation':
      return <ConversationTab />
    case 'tools':
      return <ToolsTab />
    case 'knowledge':
      return <KnowledgeTab />
    case 'analysis':
      return <AnalysisTab />
    case 'numbers':
      return <NumbersTab agentId={agentId} />
    case 'advanced':
      return <AdvancedTab value={value} isNew={agentId === undefined} onChange={onJson} />
  }
}
