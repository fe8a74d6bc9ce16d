// Every word on the wire.
export * from './agent.ts'
export * from './agent-operations.ts'
export * as dashboard from './dashboard.ts'
export * from './errors.ts'
export * as limits from './limits.ts'
export * from './operation.ts'
export * from './pagination.ts'
export * from './words.ts'
