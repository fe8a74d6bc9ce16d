// What a worker does for callers.
export { pruneErasedCalls } from './erasure-store.ts'
export { erasureJob } from './erasure-worker.ts'
export { pruneMemories } from './store.ts'
