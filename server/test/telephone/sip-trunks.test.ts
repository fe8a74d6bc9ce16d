// Trunks over time: one of several processes registers, another follows when it dies, and a trunk that was away comes
// back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trunkAway } from '../../../faults/trunk-away.ts'
import { isRight, parseAnswer } from '../../src/carriers/sip/auth/digest.ts'
import { noKamailio } from '../props/sip/kamailio/kamailio.ts'
import { answerText, openUdpPeer, type UdpPeer } from '../props/sip/udp-peer.ts'
import { describeUnless } from '../props/unless.ts'
import { mediaProcess, type RunningProcess, startProcess } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { freePort } from '../support/softphone/certificate.ts'

const optionsFrom = ({ port }: UdpPeer) =>
  [
    'OPTIONS sip:parley@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.2:${port};branch=z9hG4bKscan1;rport`,
    'Max-Forwards: 70',
    'From: <sip:100@1.1.1.1>;tag=scan',
    'To: <sip:100@1.1.1.1>',
    'Call-ID: scan-1',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')

describe('two processes on one database', () => {
  const processes: RunningProcess[] = []
  let both: { running: RunningProcess; port: number }[] = []
  let api: TestService
  let registrar: UdpPeer
  /** What the registrar has, by Contact; and everything that was ever registered there. */
  const bound = new Set<string>()
  const ever: string[] = []

  beforeAll(async () => {
    registrar = await openUdpPeer()
    registrar.onRequest = (text) => {
      if (!text.startsWith('REGISTER')) return answerText(text, '200 OK')
      const header = /^Authorization: (.*)$/m.exec(text)?.[1]?.trim()
      const answer = header ? parseAnswer(header) : null
      if (!answer || !isRight(answer, 'open sesame', 'REGISTER'))
        return answerText(text, '401 Unauthorized', [
          'WWW-Authenticate: Digest realm="r", nonce="n1", qop="auth"',
        ])
      const [, contact = '', seconds = ''] = /^Contact: <([^>]*)>;expires=(\d+)/m.exec(text) ?? []
      if (seconds === '0') bound.delete(contact)
      else if (!bound.has(contact)) {
        bound.add(contact)
        ever.push(contact)
      }
      return answerText(text, '200 OK', ['Expires: 300'])
    }
    api = await openService({ PARLEY_TRUSTED_HOSTS: '127.0.0.1' })
    both = [await start(), await start()]
  })
  afterAll(async () => {
    for (const process of processes) await process.end('SIGKILL')
    await api?.close()
    registrar?.close()
  })

  const start = async (): Promise<{ running: RunningProcess; port: number }> => {
    const port = await freePort()
    const running = await startProcess(
      {
        DATABASE_URL: api.database.url,
        PARLEY_SECRET: 'a secret for tests only',
        PARLEY_DATA_DIR: api.dataDir,
        PARLEY_ROLES: 'media',
        PARLEY_SIP_PORT: String(port),
        PARLEY_TRUSTED_HOSTS: '127.0.0.1',
        // Nobody but the trunk.
        PARLEY_SIP_ALLOW: '192.0.2.0/24',
      },
      { program: mediaProcess },
    )
    processes.push(running)
    return { running, port }
  }

  it('count strangers in their metrics, and give them no answer', async () => {
    const stranger = await openUdpPeer('127.0.0.2')
    const [one] = both
    stranger.send(optionsFrom(stranger), one?.port ?? 0)
    const metrics = async () => (await fetch(`${one?.running.url}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^parley_sip_refused_total\{reason="[^"]+"\} 1$/m)
    expect(stranger.received).toEqual([])
    stranger.close()
  })

  it('register a trunk once; when the one that did dies the other does, and the number says how it stands', async () => {
    const credentials = { host: '127.0.0.1', port: registrar.port, username: 'ada', password: 'open sesame' }
    const made = await api.ask('POST', '/phone-numbers', {
      body: { phone_number: '+4930901820', provider: 'sip', credentials: { ...credentials, register: true } },
    })
    const id = made.body.data.phone_number_id
    const stateOf = async () => (await api.ask('GET', `/phone-numbers/${id}`)).body.data.registration
    await expect.poll(stateOf).toMatchObject({ state: 'registered', reason: null })
    // Each of the two answers a check, and knows the registration, whoever keeps it.
    const check = (await api.ask('POST', `/phone-numbers/${id}/check`)).body.data
    expect(check).toMatchObject({ ok: true, registered: true })
    expect(ever).toHaveLength(1)
    const keeps = ({ port }: { port: number }) => ever.at(-1)?.includes(`:${port}`)
    const holder = both.find(keeps)
    const other = both.find((one) => one !== holder)
    await holder?.running.end('SIGKILL')
    await expect.poll(() => ever.length).toBe(2)
    expect(other && keeps(other)).toBe(true)
    // What the dead one had registered is taken away, so that no call goes there.
    await expect.poll(() => [...bound]).toEqual([ever[1]])
    await expect.poll(stateOf).toMatchObject({ state: 'registered' })
    await other?.running.end('SIGTERM')
    // Whoever stops in order leaves nothing behind.
    await expect.poll(() => [...bound]).toEqual([])
    expect(await stateOf()).toBeNull()
  })
})

describeUnless(noKamailio, 'a trunk that disappears', () => {
  it('in the middle of a call and comes back is registered with again, and calls go both ways', async () => {
    const { faults, ...report } = await trunkAway(1, () => {})
    expect(faults).toEqual([])
    expect(report).toMatchObject({ times: 1, endedWithReason: 1, calledAgain: 1 })
    expect([report.failedMs, report.restoredMs, report.silentMs].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ])
  })
})
