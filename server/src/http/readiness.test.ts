// What a load balancer is told about each role of a process, and about the process.
import { expect, it } from 'vitest'
import { Readiness, type RoleStatus } from './readiness.ts'

it('a role is ready when it has begun its work, and the process when all of its roles are', () => {
  const readiness = new Readiness(['api', 'worker'])
  readiness.started('api')
  expect(readiness.roles).toEqual({ api: { status: 'ready' }, worker: { status: 'starting' } })
  expect(readiness.status).toBe('starting')
  readiness.started('worker')
  expect(readiness.status).toBe('ready')
  expect(readiness.of('media')).toBeUndefined()
})

it.each<[RoleStatus, string]>([
  ['disconnected', 'disconnected'],
  // Whoever restarts processes would end its calls.
  ['full', 'ready'],
])('a role that is %s leaves the others as they are, and makes the process %s', (status, ofProcess) => {
  const readiness = new Readiness(['api', 'media'])
  readiness.started('api')
  readiness.started('media', () => ({ status, free: 0 }))
  expect(readiness.of('api')).toEqual({ status: 'ready' })
  expect(readiness.of('media')).toEqual({ status, free: 0 })
  expect(readiness.status).toBe(ofProcess)
})

it('a process that stops is draining in all of its roles, and still tells of its calls', () => {
  const readiness = new Readiness(['api', 'media'])
  readiness.started('api')
  readiness.started('media', () => ({ status: 'ready', calls: 3 }))
  readiness.draining = true
  expect(readiness.roles).toEqual({ api: { status: 'draining' }, media: { status: 'draining', calls: 3 } })
  expect(readiness.status).toBe('draining')
})
