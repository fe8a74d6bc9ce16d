// What an assistant gets from a tool: text that it can read, and the same as data. A refusal is a result, too.
import { Failure } from '../../http/failure.ts'

export interface McpResult {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export type McpAnswer = string | Readonly<Record<string, unknown>>

export async function resultOf(run: () => Promise<McpAnswer>): Promise<McpResult> {
  try {
    const answer = await run()
    if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] }
    return {
      content: [{ type: 'text', text: JSON.stringify(answer, null, 1) }],
      structuredContent: { ...answer },
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const details = error.details.map(({ path, message }) => `${path}: ${message}`)
    const text = [`${error.code}: ${error.message}`, ...details].join('\n')
    return { content: [{ type: 'text', text }], isError: true }
  }
}
