// What other features show of webhooks: the deliveries of an event.
export { whileQueued } from './webhook.ts'
export { DeliveryBadge, httpWords } from './webhook-words.tsx'
