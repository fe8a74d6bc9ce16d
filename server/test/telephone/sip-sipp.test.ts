// The user agent on real sockets against sipp: the scenarios that it has by itself, and ours for what trunks do to calls.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentProcess } from '../props/sip/agent-process.ts'
import { joinInstead } from '../props/sip/join-instead.ts'
import { hearRecordedPackets, noRecordedPackets } from '../props/sip/recorded-packets.ts'
import { freeUdpPort, noSipp, sipp } from '../props/sip/sipp.ts'
import { concurrentUnless, describeUnless } from '../props/unless.ts'

let agent: AgentProcess

describeUnless(noSipp, 'sipp', () => {
  beforeAll(async () => {
    agent = await AgentProcess.start()
  })
  afterAll(async () => {
    const counts = await agent.counts()
    expect({ faults: counts.faults, errors: agent.errors }).toEqual({ faults: 0, errors: '' })
    await agent.stop()
  })

  it.concurrent.each([
    ['its own caller', 'uac', 'agent'],
    ['an INVITE without SDP', 'late-offer', 'agent'],
    ['a session that the caller refreshes', 'session-refresh', 'agent'],
    ['a session interval that is too small', 'interval-too-small', 'agent'],
    ['PRACK of a caller', 'prack-caller', 'agent'],
    ['CANCEL while it rings', 'cancel', 'ringing'],
  ])('calls us: %s', async (_, scenario, user) => {
    expect(await sipp({ scenario, to: agent.port, user, port: await freeUdpPort() })).toBeNull()
  })

  it.concurrent('calls us: an INVITE that comes three times', async () => {
    // Our first answer may come before its last INVITE has gone; sipp would give up.
    const more = ['-default_behaviors', 'all,-abortunexp']
    const run = { scenario: 'retransmitted-invite', to: agent.port, port: await freeUdpPort(), more }
    expect(await sipp(run)).toBeNull()
  })

  it.concurrent('calls us: ACKs that are lost', async () => {
    expect(
      await sipp({ scenario: 'lost-ack', to: agent.port, user: 'deaf', port: await freeUdpPort() }),
    ).toBeNull()
    const { id } = await agent.next('invite', ({ user }) => user === 'deaf')
    const ended = await agent.next('ended', (report) => report.id === id)
    expect(ended).toMatchObject({ status: 200, text: 'Hung up' })
    expect(ended.answers).toBeGreaterThanOrEqual(2)
  })

  it.concurrent('calls us: both hang up at once', async () => {
    const running = sipp({
      scenario: 'crossing-bye',
      to: agent.port,
      user: 'crossing',
      port: await freeUdpPort(),
    })
    const { id } = await agent.next('invite', ({ user }) => user === 'crossing')
    agent.tell({ do: 'hang-up', id })
    expect(await running).toBeNull()
  })

  /** We call a scenario, and hang up when it is answered, or when `then` is done. */
  async function callOut(
    scenario: string,
    more: object = {},
    then: (id: string) => Promise<unknown> = async () => {},
  ) {
    const port = await freeUdpPort()
    const running = sipp({ scenario, port })
    agent.tell({ do: 'call', as: scenario, to: `sip:agent@127.0.0.1:${port}`, ...more })
    await agent.next('answered', ({ id }) => id === scenario)
    await then(scenario)
    agent.tell({ do: 'hang-up', id: scenario })
    expect(await running).toBeNull()
  }

  it.concurrent('is called: its own callee', () => callOut('uas'))
  it.concurrent('is called: answers of two forks', () =>
    // Only then may the other one be hung up: the scenario has an order.
    callOut('forked-answers', {}, () => agent.next('bye', ({ to }) => to.includes('tag=two'))))
  it.concurrent('is called: a redirection that is allowed', () =>
    callOut('redirection', { redirectTo: 'second@127.0.0.1' }))
  it.concurrent('is called: 407, and 407 for a stale nonce', () =>
    callOut('stale-nonce', { credentials: { username: 'parley', password: 'secret' } }))
  it.concurrent('is called: PRACK of a callee, and a 200 without SDP', async () => {
    await callOut('prack-callee')
    expect(agent.of('answered').find(({ id }) => id === 'prack-callee')?.sdp).toContain('m=audio')
  })
  it.concurrent('is called: offers of both sides at once', () =>
    callOut('glare', {}, async (id) => {
      agent.tell({ do: 'offer', id })
      const { result } = await agent.next('offered', (report) => report.id === id)
      expect(result).toHaveProperty('sdp')
    }))

  const refers = async (id: string) => {
    agent.tell({ do: 'refer', id, to: 'sip:carol@far.example' })
    return (await agent.next('referred', (report) => report.id === id)).status
  }
  const progressOf = (scenario: string) =>
    agent.of('transfer').flatMap(({ id, status }) => (id === scenario ? [status] : []))

  it.concurrent('is called: REFER that it carries out, reported by NOTIFY', async () => {
    await callOut('refer', {}, async (id) => {
      expect(await refers(id)).toBe(202)
      await agent.next('transfer', (report) => report.id === id && report.status === 200)
    })
    expect(progressOf('refer')).toEqual([180, 200])
  })
  it.concurrent('is called: REFER to somebody who is busy, and the call goes on', async () => {
    await callOut('failed-refer', {}, async (id) => {
      expect(await refers(id)).toBe(202)
      await agent.next('transfer', (report) => report.id === id)
    })
    expect(progressOf('failed-refer')).toEqual([486])
  })
  it.concurrent('is called: REFER that it refuses, and we join it with a second one instead', () =>
    joinInstead())

  concurrentUnless(
    noRecordedPackets,
    'is called: plays packets of 30 ms, then a key from another source',
    hearRecordedPackets,
  )

  it('three INVITEs were one call', () => {
    const ids = agent.of('invite').map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })
})
