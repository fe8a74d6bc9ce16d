// What a worker does for webhooks.
export { deliveryJob } from './delivery-worker.ts'
export { eventLog } from './event-log.ts'
export { eventPublisher } from './event-publisher.ts'
export { tracedSend, traceOfEvent } from './send.ts'
