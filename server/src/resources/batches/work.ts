// What a worker does for batches.
export { startFeeder } from './feeder.ts'
export { pruneBatches } from './store.ts'
