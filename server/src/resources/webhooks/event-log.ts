// What is kept of webhook events, and how long: their bodies, and their deliveries with every attempt.
import type { ExpiringLog } from '../../platform/retention/expiring-log.ts'

export const eventLog = (keepDays: number): ExpiringLog => ({
  name: 'events',
  keepDays,
  tables: [
    {
      table: 'events',
      id: 'event_id',
      removable: 'NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = p.event_id)',
    },
    { table: 'deliveries', id: 'delivery_id', removable: "p.status <> 'queued'" },
  ],
  // A delivery that was repeated by hand may be of an old event.
  isNeeded: `EXISTS (
    SELECT FROM deliveries WHERE status = 'queued'
      AND ((event_id >= $1 AND event_id < $2) OR (delivery_id >= $1 AND delivery_id < $2)))`,
  alongside: [],
  record: `
    jsonb_build_object('event', to_jsonb(l), 'deliveries', (
      SELECT coalesce(jsonb_agg(to_jsonb(d) - '{claimed_by,event_id}'::text[] ORDER BY d.created_at), '[]')
      FROM deliveries d WHERE d.event_id = l.event_id))`,
})
