// Labels for the kinds of tools. The compiler checks that the list is complete.
import type { ToolType } from '@parley/contract'

export const typeWords: Record<ToolType, string> = {
  http: 'HTTP request',
  mcp: 'MCP server',
  built_in: 'Built in',
}
