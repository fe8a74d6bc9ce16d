// Through Kamailio as registrar and as proxy with Record-Route, by each transport: registered, called both ways, changed in
// the middle of a call, and hung up by both sides.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentProcess } from '../props/sip/agent-process.ts'
import { type Kamailio, noKamailio, startKamailio } from '../props/sip/kamailio/kamailio.ts'
import { describeUnless } from '../props/unless.ts'

let kamailio: Kamailio
const agents: AgentProcess[] = []

describeUnless(noKamailio, 'Kamailio', () => {
  beforeAll(async () => {
    kamailio = await startKamailio()
  })
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stop()))
    await kamailio.stop()
  })

  async function agentOf(
    user: string,
    transport: 'udp' | 'tcp' | 'tls',
    password = 'secret',
  ): Promise<AgentProcess> {
    const { cert, key } = kamailio
    const agent = await AgentProcess.start({ tls: { cert, key }, authority: cert })
    agents.push(agent)
    agent.tell({
      do: 'register',
      registrar: host(transport),
      addressOfRecord: `sip:${user}@parley.test`,
      contactUser: `${user}-at-home`,
      credentials: { username: user, password },
      transport,
    })
    return agent
  }

  const host = (transport: 'udp' | 'tcp' | 'tls') =>
    `sip:127.0.0.1:${transport === 'tls' ? kamailio.tlsPort : kamailio.port};transport=${transport}`

  /** One calls the other through the proxy, changes the sound, and `who` hangs up. */
  async function talk(
    caller: AgentProcess,
    callee: AgentProcess,
    names: { from: string; to: string },
    transport: 'udp' | 'tcp' | 'tls',
    who: 'caller' | 'callee',
  ) {
    const as = `${names.from}-${transport}-${who}`
    const known = callee.reports.length
    caller.tell({
      do: 'call',
      as,
      transport,
      to: `sip:${names.to}@parley.test`,
      from: `sip:${names.from}@parley.test`,
      credentials: { username: names.from, password: 'secret' },
      routes: [`<${host(transport)};lr>`],
    })
    await caller.next('answered', ({ id }) => id === as)
    const { id } = await callee.next('invite', ({ user }) => user === `${names.to}-at-home`, known)
    caller.tell({ do: 'offer', id: as })
    expect((await caller.next('offered', (report) => report.id === as)).result).toHaveProperty('sdp')
    expect((await callee.next('offer', (report) => report.id === id)).sdp).toContain('40010')
    if (who === 'caller') caller.tell({ do: 'hang-up', id: as })
    else callee.tell({ do: 'hang-up', id })
    for (const [agent, call] of [
      [caller, as],
      [callee, id],
    ] as const)
      expect(await agent.next('ended', (report) => report.id === call)).toMatchObject({ status: 200 })
  }

  it.each(['udp', 'tcp', 'tls'] as const)('by %s', async (transport) => {
    const names = { from: `alice-${transport}`, to: `bob-${transport}` }
    const [alice, bob] = await Promise.all([agentOf(names.from, transport), agentOf(names.to, transport)])
    for (const agent of [alice, bob])
      expect(await agent.next('registration', ({ state }) => state.is !== 'registering')).toMatchObject({
        state: { is: 'registered', expiresInSeconds: 300 },
      })
    // One way from the proxy to Bob, and the other to Alice; each hangs up once.
    await talk(alice, bob, names, transport, 'caller')
    await talk(bob, alice, { from: names.to, to: names.from }, transport, 'callee')
  })

  it('refuses a wrong password, and that is the state of the registration', async () => {
    const agent = await agentOf('mallory', 'udp', 'guessed')
    expect(await agent.next('registration', ({ state }) => state.is === 'failed')).toMatchObject({
      state: { status: 401, reason: 'The registrar answered 401 Unauthorized.' },
    })
  })

  it('with a certificate that nobody vouches for is not spoken with (row 24)', async () => {
    const { cert, key } = kamailio
    const agent = await AgentProcess.start({ tls: { cert, key } })
    agents.push(agent)
    const order = {
      registrar: host('tls'),
      addressOfRecord: 'sip:eve@parley.test',
      contactUser: 'eve',
      transport: 'tls',
    } as const
    agent.tell({ do: 'register', ...order, credentials: { username: 'eve', password: 'secret' } })
    expect(await agent.next('registration', ({ state }) => state.is === 'failed')).toMatchObject({
      state: { status: null, reason: 'The registrar does not answer.' },
    })
  })
})
