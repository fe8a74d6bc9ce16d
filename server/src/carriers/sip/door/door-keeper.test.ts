// Who logs in at our door: challenges, passwords, what strangers learn, and telephones that register (row 36).
import { createHmac, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { alice, bob, requestOf, sdp, Telephony } from '../../../../test/props/sip/agents.ts'
import { memoryTelephones } from '../../../../test/props/sip/door-stores.ts'
import type { RawPeer } from '../../../../test/props/sip/raw-peer.ts'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import { authorize, type DigestChallenge, parseChallenge } from '../auth/digest.ts'
import type { IncomingCall } from '../call/incoming-call.ts'
import { headerOf, headersOf, type SipResponse } from '../message/message.ts'
import type { Destination } from '../transport/transport.ts'
import { AddressList } from '../trunk/address-list.ts'
import type { TrunkUser } from '../trunk/trunk-book.ts'
import { ArrivalLimits } from './arrival-limits.ts'
import { DoorKeeper } from './door-keeper.ts'
import { Registrar } from './registrar.ts'

const toUs: Destination = { transport: 'udp', address: alice, port: 5060 }
const anna = { username: 'anna', password: 'open sesame' }

let telephony: Telephony
let counted: string[]
let nowMs: number
let users: TrunkUser[]
let telephones: ReturnType<typeof memoryTelephones>
let calls: { arriving: IncomingCall; number: string | null }[]
let peer: RawPeer
beforeEach(() => {
  telephony = new Telephony()
  ;[counted, calls, nowMs, telephones] = [[], [], 0, memoryTelephones()]
  users = [{ trunk: trunkOf({ id: 'n1' }), ...anna }]
  peer = telephony.peer(bob)
  open()
})

function open(allow: readonly string[] = []) {
  const limits = new ArrivalLimits({
    log: { warn() {} },
    count: (reason) => void counted.push(reason),
    nowMs: () => nowMs,
  })
  const random = (bytes: number) => randomBytes(bytes).toString('hex')
  const registrar = new Registrar({
    telephones,
    now: () => new Date(),
    after: telephony.clock.after,
    keepAlive: () => () => {},
    onFault: (error) => {
      throw error
    },
  })
  const keeper = new DoorKeeper({
    allow: new AddressList(allow),
    limits,
    registrar,
    random,
    digest: ['sha-256', 'md5'],
    sign: (text) => createHmac('sha256', 'a key for tests').update(text).digest(),
    book: {
      at: () => [],
      ofContact: () => [],
      get hasUsers() {
        return users.length > 0
      },
      usersNamed: (name) => users.filter(({ username }) => username === name.toLowerCase()),
    },
  })
  telephony.agent(
    alice,
    (arriving) => {
      calls.push({ arriving, number: keeper.loginOf(arriving.request)?.id ?? null })
      arriving.ring()
    },
    {
      isWelcome: (request, { peer: from }) => keeper.isWelcome(request, from),
      challenge: (request, { peer: from }) => keeper.challenge(request, from),
      onRegister: (incoming) => keeper.register(incoming),
    },
  )
}

let branches = 0
async function send(method: string, headers: Record<string, string> = {}): Promise<SipResponse | undefined> {
  const before = peer.responses().length
  const branch = `z9hG4bK-door-${++branches}`
  const request = requestOf(method, headers, { branch, ...(method === 'INVITE' && { body: sdp }) })
  const withBody =
    method === 'INVITE'
      ? { ...request, headers: [...request.headers, { name: 'Content-Type', value: 'application/sdp' }] }
      : request
  peer.send(withBody, toUs)
  await telephony.clock.advance(100)
  return peer.responses().slice(before).at(-1)
}

const challengesOf = (response: SipResponse | undefined): DigestChallenge[] =>
  headersOf(response as SipResponse, 'WWW-Authenticate').flatMap((value) => parseChallenge(value) ?? [])

const answer = (
  challenge: DigestChallenge,
  method: string,
  { username = anna.username, password = anna.password, count = 1 } = {},
) => authorize(challenge, { username, password }, { method, uri: `sip:parley@${alice}` }, count, 'c0ffee')

/** With a fresh challenge of this algorithm. */
async function logIn(
  method: string,
  more: Parameters<typeof answer>[2] = {},
  headers = {},
  algorithm = 'SHA-256',
) {
  const response = await send(method, { ...headers, CSeq: `${++branches} ${method}` })
  if (!response) return undefined
  const challenge = challengesOf(response).find((one) => one.algorithm === algorithm) as DigestChallenge
  return send(method, {
    ...headers,
    CSeq: `${++branches} ${method}`,
    Authorization: answer(challenge, method, more),
  })
}

describe('a call of a stranger', () => {
  it('is challenged once, by both algorithms, and nothing is kept of it', async () => {
    const response = await send('INVITE')
    expect(response?.status).toBe(401)
    expect(challengesOf(response)).toMatchObject([
      { algorithm: 'SHA-256', qop: 'auth', realm: 'parley', stale: false },
      { algorithm: 'MD5', qop: 'auth', realm: 'parley', stale: false },
    ])
    await telephony.clock.advance(40_000)
    // A forged address is not flooded with repetitions.
    expect(peer.responses()).toHaveLength(1)
    expect(telephony.clock.pending).toBe(0)
    expect(counted).toEqual([])
  })

  it.each(['SHA-256', 'MD5'])(
    'gets through with the right password, by %s, on its number',
    async (algorithm) => {
      expect((await logIn('INVITE', {}, {}, algorithm))?.status).toBe(180)
      expect(calls.map(({ number }) => number)).toEqual(['n1'])
    },
  )

  it('learns nothing: a user that does not exist is answered like one whose password is wrong', async () => {
    const wrong = await logIn('INVITE', { password: 'guessed' })
    const nobody = await logIn('INVITE', { username: 'zoe' }, { 'Call-ID': 'c2' })
    const shape = (response: SipResponse | undefined) => ({
      status: response?.status,
      names: response?.headers.map(({ name }) => name),
    })
    expect(shape(wrong)).toEqual(shape(nobody))
    expect(wrong?.status).toBe(403)
    expect(counted).toEqual(['wrong password', 'wrong password'])
    expect(calls).toEqual([])
  })

  it('with a user of two workspaces belongs to the one whose password it has', async () => {
    users = [...users, { trunk: trunkOf({ id: 'n2' }), username: 'anna', password: 'another' }]
    expect((await logIn('INVITE', { password: 'another' }))?.status).toBe(180)
    expect(calls.map(({ number }) => number)).toEqual(['n2'])
  })

  it('gets no answer where nobody can log in, nor to anything but a call or a registration', async () => {
    for (const method of ['OPTIONS', 'SUBSCRIBE', 'BYE', 'MESSAGE'])
      expect(await send(method)).toBeUndefined()
    users = []
    for (const method of ['INVITE', 'REGISTER']) expect(await send(method)).toBeUndefined()
    expect(counted).toEqual(Array(6).fill('stranger'))
  })
})

describe('a call from an address that may call agents', () => {
  const agentId = '0198d2a5-7c1e-7cc0-9d3e-3a4f5b6c7d8e'
  const inviteTo = (user: string) => {
    const request = requestOf('INVITE', {}, { branch: `z9hG4bK-list-${++branches}` })
    peer.send({ ...request, uri: `sip:${user}@${alice}` }, toUs)
    return telephony.clock.advance(100)
  }
  const statuses = () => peer.responses().map(({ status }) => status)

  it('needs no password for an agent', async () => {
    open([bob])
    await inviteTo(agentId)
    expect(statuses()).toContain(180)
    expect(calls).toMatchObject([{ number: null }])
  })

  it('is asked for one when it calls a number, and belongs to the number of its user', async () => {
    open([bob])
    await inviteTo('+4930901820')
    expect(statuses()).toEqual([401])
    expect((await logIn('INVITE'))?.status).toBe(180)
    expect(calls).toMatchObject([{ number: 'n1' }])
  })

  it('is not asked where nobody can log in', async () => {
    users = []
    open([bob])
    await inviteTo('+4930901820')
    expect(calls).toMatchObject([{ number: null }])
  })
})

describe('an answer to a challenge', () => {
  it('that is sent a second time is refused as stale, and a higher count is not', async () => {
    const [challenge] = challengesOf(await send('INVITE')) as [DigestChallenge]
    const again = (count: number, callId: string) =>
      send('INVITE', { 'Call-ID': callId, Authorization: answer(challenge, 'INVITE', { count }) })
    expect((await again(1, 'r1'))?.status).toBe(180)
    const replayed = await again(1, 'r2')
    expect([replayed?.status, challengesOf(replayed)[0]?.stale]).toEqual([401, true])
    expect((await again(2, 'r3'))?.status).toBe(180)
    expect(counted).toEqual([])
  })

  it('to a nonce of another address, of another method or of nobody is worth nothing', async () => {
    const [challenge] = challengesOf(await send('INVITE')) as [DigestChallenge]
    const foreign = {
      ...challenge,
      nonce: challenge.nonce.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    }
    const forged = await send('INVITE', { 'Call-ID': 'f1', Authorization: answer(foreign, 'INVITE') })
    expect([forged?.status, challengesOf(forged)[0]?.stale]).toEqual([401, false])
    const other = await send('INVITE', { 'Call-ID': 'f2', Authorization: answer(challenge, 'REGISTER') })
    expect(other?.status).toBe(403)
    expect(calls).toEqual([])
  })

  const guess = async (most: number, username = 'zoe') => {
    let heard = 0
    for (let nth = 0; nth < most; nth++) {
      const response = await logIn('INVITE', { username, password: `${nth}` }, { 'Call-ID': `g${branches}` })
      if (response?.status === 403) heard += 1
    }
    return heard
  }

  it('is not looked at after ten wrong ones from there, each time twice as long', async () => {
    expect(await guess(10, 'anna')).toBe(10)
    for (const minutes of [1, 2, 4, 8]) {
      nowMs += (minutes - 0.1) * 60_000
      expect(await send('INVITE', { 'Call-ID': `early-${minutes}` })).toBeUndefined()
      expect(counted.at(-1)).toBe('too many logins')
      nowMs += 0.2 * 60_000
      expect(await guess(10)).toBeGreaterThan(5)
    }
    nowMs += 86_400_000
    expect((await logIn('INVITE', {}, { 'Call-ID': 'later' }))?.status).toBe(180)
  })

  it('of a telephone that has logged in from there is looked at whatever its neighbours guess', async () => {
    expect((await logIn('INVITE', {}, { 'Call-ID': 'first' }))?.status).toBe(180)
    expect(await guess(12)).toBe(10)
    expect((await logIn('INVITE', {}, { 'Call-ID': 'second' }))?.status).toBe(180)
    // Her own password can be guessed no better.
    expect(await guess(12, 'Anna')).toBe(10)
    expect(await logIn('INVITE', {}, { 'Call-ID': 'third' })).toBeUndefined()
  })

  it('is asked for no more than so often from one address', async () => {
    let answers = 0
    for (let at = 0; at < 210; at++) if (await send('REGISTER', { 'Call-ID': `s${at}` })) answers += 1
    expect(answers).toBe(200)
    expect(counted).toEqual(Array(10).fill('too many logins'))
  })
})

describe('a telephone that registers', () => {
  const to = { To: '<sip:anna@192.0.2.1>' }
  const register = (headers: Record<string, string> = {}, more = {}) =>
    logIn('REGISTER', more, { 'Call-ID': 'reg', ...to, ...headers })

  it('is kept where it came from until it expires, and is told so', async () => {
    const response = await register({ Contact: '<sip:anna@10.0.0.9:5070>', Expires: '600' })
    expect(response?.status).toBe(200)
    expect(headerOf(response as SipResponse, 'Contact')).toMatch(
      /^<sip:anna@10.0.0.9:5070>;expires=(600|599)$/,
    )
    expect(telephones.bound).toMatchObject([
      { numberId: 'n1', username: 'anna', contact: 'sip:anna@10.0.0.9:5070', address: bob, port: 5060 },
    ])
  })

  it.each<[string, Record<string, string>, number]>([
    ['in the name of somebody else', { To: '<sip:zoe@192.0.2.1>' }, 403],
    ['for a moment', { Contact: '<sip:a@10.0.0.9>', Expires: '5' }, 423],
    ['with a Contact that cannot be called', { Contact: '<tel:+1555>' }, 400],
    ['everything, without saying that it leaves', { Contact: '*', Expires: '60' }, 400],
  ])('%s is refused', async (_, headers, status) => {
    expect((await register(headers))?.status).toBe(status)
    expect(telephones.bound).toEqual([])
  })

  it('with a wrong password is not', async () => {
    expect((await register({}, { password: 'guessed' }))?.status).toBe(403)
    expect(telephones.bound).toEqual([])
  })

  it('leaves by Expires: 0, or all at once', async () => {
    await register({ Contact: '<sip:anna@10.0.0.9>' })
    await register({ Contact: '<sip:anna@10.0.0.9>', Expires: '0' })
    expect(telephones.bound).toEqual([])
    await register({ 'Call-ID': 'reg2', Contact: '<sip:anna@10.0.0.8>' })
    const response = await register({ 'Call-ID': 'reg2', Contact: '*', Expires: '0' })
    expect(response?.status).toBe(200)
    expect(telephones.bound).toEqual([])
  })

  it('may ask whether we are there, which strangers may not', async () => {
    expect(await send('OPTIONS')).toBeUndefined()
    await register({ Contact: '<sip:anna@10.0.0.9>' })
    expect((await send('OPTIONS', { 'Call-ID': 'o2' }))?.status).toBe(200)
  })
})
