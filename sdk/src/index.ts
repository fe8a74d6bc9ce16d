// The client library.
export { Agents } from './agents.ts'
export { ParleyError } from './error.ts'
export { Parley, type ParleyOptions } from './parley.ts'
