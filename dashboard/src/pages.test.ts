import { describe, expect, it } from 'vitest'
import { pageAt, pages } from './pages.tsx'

describe('the page at an address', () => {
  it.each([
    ['agents', 'agents', {}],
    ['agents/new', 'agents/new', {}],
    ['agents/a1', 'agents/:agentId', { agentId: 'a1' }],
    ['agents/a1/graph', 'agents/:agentId/graph', { agentId: 'a1' }],
    ['calls/live', 'calls/live', {}],
    ['calls/c1', 'calls/:sessionId', { sessionId: 'c1' }],
    [
      'webhooks/w1/deliveries/d1',
      'webhooks/:webhookId/deliveries/:deliveryId',
      { webhookId: 'w1', deliveryId: 'd1' },
    ],
  ])('%s is %s', (address, path, values) => {
    expect(pageAt(address.split('/'))).toMatchObject({ page: { path }, values })
  })

  it.each(['nowhere', 'agents/a1/secrets', 'webhooks/w1/deliveries', 'people/p1'])(
    '%s is none',
    (address) => {
      expect(pageAt(address.split('/'))).toBeUndefined()
    },
  )

  it.each(pages.map(({ path }) => path))('the path %s is not hidden by one before it', (path) => {
    expect(pageAt(path.split('/'))?.page.path).toBe(path)
  })
})
