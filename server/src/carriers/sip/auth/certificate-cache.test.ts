// Certificates are fetched from a loopback server, through the guard.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { Authorities } from '../../../../test/props/sip/stir.ts'
import { type Guard, openGuard } from '../../../platform/guard/guard.ts'
import { CertificateCache } from './certificate-cache.ts'

const authorities = new Authorities()
const { pem } = authorities.root()
afterAll(() => authorities.close())

let asked: string[]
let nowMs: number
let url: string
let guard: Guard
let cache: CertificateCache
const answers: Record<string, { control?: string; body: string }> = {
  '/usual': { body: pem },
  '/brief': { body: pem, control: 'public, max-age=60' },
  '/never': { body: pem, control: 'no-store' },
  '/large': { body: pem.repeat(200) },
  '/wrong': { body: 'not a certificate' },
}
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  const answer = answers[request.url ?? '']
  // Nobody answers at other addresses.
  if (!answer) return
  if (answer.control) response.setHeader('cache-control', answer.control)
  response.end(answer.body)
})

beforeEach(async () => {
  ;[asked, nowMs] = [[], 0]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  guard = openGuard({ allowPrivate: false, trustedHosts: ['127.0.0.1'] })
  cache = new CertificateCache(guard, () => nowMs)
})
afterEach(async () => {
  await guard.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

it.each([
  ['/usual', 3_600],
  ['/brief', 60],
])('%s is fetched once for all who ask, and again after %i seconds', async (path, seconds) => {
  const [one, same] = await Promise.all([cache.get(url + path), cache.get(url + path)])
  expect([one?.length, same]).toEqual([1, one])
  nowMs = seconds * 1_000 - 1
  await cache.get(url + path)
  expect(asked).toEqual([path])
  nowMs++
  await cache.get(url + path)
  expect(asked).toEqual([path, path])
})

it('one that may not be kept is fetched for every call', async () => {
  await cache.get(`${url}/never`)
  await cache.get(`${url}/never`)
  expect(asked).toEqual(['/never', '/never'])
})

it.each(['/large', '/wrong'])('%s is none, and not asked for again at once', async (path) => {
  expect([await cache.get(url + path), await cache.get(url + path)]).toEqual([null, null])
  expect(asked).toEqual([path])
})

it('a server that never answers is given up, and others are asked meanwhile', async () => {
  const silent = cache.get(`${url}/silent`)
  expect(await cache.get(`${url}/usual`)).toHaveLength(1)
  expect(await silent).toBeNull()
})

it('a private address is not asked, unless the operator trusts it', async () => {
  const strict = openGuard({ allowPrivate: false, trustedHosts: [] })
  expect(await new CertificateCache(strict, () => nowMs).get(`${url}/usual`)).toBeNull()
  expect(asked).toEqual([])
  await strict.close()
})
