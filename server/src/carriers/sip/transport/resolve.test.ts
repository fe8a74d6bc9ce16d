// Names that point into the operator's own network after they were stored (DNS rebinding).
import { expect, it } from 'vitest'
import { guardedResolve, type NameServer } from './resolve.ts'

const none = () => Promise.reject(new Error('ENOTFOUND'))

/** A name server of the test's own, whose answers change. */
function zone(records: {
  a?: Record<string, string[]>
  srv?: Record<string, string[]>
  naptr?: Record<string, string>
}) {
  const names: NameServer = {
    resolve4: async (name) => records.a?.[name] ?? none(),
    resolve6: none,
    lookup: none,
    resolveSrv: async (name) =>
      records.srv?.[name]?.map((target, priority) => ({ name: target, port: 5070, priority, weight: 0 })) ??
      none(),
    resolveNaptr: async (name) => {
      const replacement = records.naptr?.[name]
      return replacement ? [{ service: 'SIP+D2U', replacement, order: 1, preference: 1 }] : none()
    },
  }
  return guardedResolve({
    names,
    random: () => 0.5,
    isTrusted: (host) => host === 'pbx.trusted.example' || host === '10.1.2.3',
    isAllowed: (address) => address.startsWith('192.168.7.'),
  })
}

const addresses = async (resolve: ReturnType<typeof zone>, uri: string, peer?: string) =>
  (await resolve(uri, 'udp', peer ? { transport: 'udp', address: peer, port: 5060 } : null)).map(
    ({ address }) => address,
  )

it('are not followed there: what was public yesterday is refused today', async () => {
  const a: Record<string, string[]> = { 'trunk.example': ['8.8.8.8'] }
  const resolve = zone({ a })
  expect(await addresses(resolve, 'sip:trunk.example:5060')).toEqual(['8.8.8.8'])
  for (const inside of ['127.0.0.1', '10.0.0.5', '169.254.169.254', '192.168.1.4', '100.64.0.1', '0.0.0.0']) {
    a['trunk.example'] = [inside]
    expect(await addresses(resolve, 'sip:trunk.example:5060'), inside).toEqual([])
  }
  a['trunk.example'] = ['10.0.0.5', '8.8.4.4']
  expect(await addresses(resolve, 'sip:trunk.example:5060')).toEqual(['8.8.4.4'])
})

it('are not followed by SRV and NAPTR either', async () => {
  const resolve = zone({
    a: { 'inside.example': ['127.0.0.1'], 'outside.example': ['8.8.8.8'] },
    srv: {
      '_sip._udp.trunk.example': ['inside.example', 'outside.example'],
      '_elsewhere.example': ['inside.example'],
    },
    naptr: { 'pointed.example': '_elsewhere.example' },
  })
  expect(await addresses(resolve, 'sip:trunk.example')).toEqual(['8.8.8.8'])
  expect((await resolve('sip:pointed.example', null)).map(({ address }) => address)).toEqual([])
})

it('are followed where the operator trusts the name or the address, or lets telephones in from there', async () => {
  const resolve = zone({
    a: {
      'pbx.trusted.example': ['10.9.9.9'],
      'other.example': ['10.1.2.3'],
      'phone.example': ['192.168.7.20'],
    },
  })
  expect(await addresses(resolve, 'sip:pbx.trusted.example:5060')).toEqual(['10.9.9.9'])
  expect(await addresses(resolve, 'sip:other.example:5060')).toEqual(['10.1.2.3'])
  expect(await addresses(resolve, 'sip:10.1.2.3:5060')).toEqual(['10.1.2.3'])
  expect(await addresses(resolve, 'sip:phone.example:5060')).toEqual(['192.168.7.20'])
})

it('may be named by somebody who is in that network, in a call, and not by anybody outside', async () => {
  const resolve = zone({})
  expect(await addresses(resolve, 'sip:anna@10.0.0.7:5062', '10.0.0.5')).toEqual(['10.0.0.7'])
  expect(await addresses(resolve, 'sip:anna@10.0.0.7:5062', '8.8.8.8')).toEqual([])
})
