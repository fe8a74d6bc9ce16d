// Real softphones log in at our door with a user and a password: baresip and Linphone from Debian, in a network of their own.
//
// The door alone, without sound: what is heard is tested with softphones elsewhere.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { wavHeader } from '../../src/media/wav.ts'
import { openTestDoor, type TestDoor } from '../props/sip/test-door.ts'
import { trunkOf } from '../props/sip/trunk.ts'
import { describeUnless } from '../props/unless.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { openTelephoneRoom, type TelephoneRoom } from '../support/namespace/telephone-room.ts'
import { type Baresip, openBaresip } from '../support/softphone/baresip.ts'
import { openLinphone } from '../support/softphone/linphone.ts'

const password = 'open-sesame'
const number = trunkOf({ host: null, inboundUsers: [{ username: 'anna', password }] })
/** As the media thread describes a call; nobody is heard. */
const sdpAt = (host: string) =>
  `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n`

const absent = canOpenNamespace() ? undefined : 'only root can open network namespaces'

describeUnless(absent, 'a softphone with a user and a password', () => {
  const phones: Baresip[] = []
  let room: TelephoneRoom
  let opened: TestDoor
  let scratch: string

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'parley-logins-'))
    const silence = Buffer.alloc(16_000)
    const header = wavHeader({ rateHz: 8_000, channels: 1 }, silence.length)
    await writeFile(join(scratch, 'silence.wav'), Buffer.concat([header, silence]))
    room = await openTelephoneRoom()
    opened = await openTestDoor(number)
  })
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.close()
  })
  afterAll(async () => {
    await opened?.door.close()
    await room?.close()
    await rm(scratch, { recursive: true, force: true })
  })

  let nextPort = 5_100
  const openPhone = async (written: string, transport: 'udp' | 'tcp' = 'udp') => {
    nextPort += 20
    const account = { address: `anna@${room.host}:${opened.port}`, password: written }
    const phone = await openBaresip(room, {
      port: nextPort,
      codecs: 'PCMU/8000/1',
      says: join(scratch, 'silence.wav'),
      rateHz: 8_000,
      answers: 'manual',
      account,
      transport,
    })
    phones.push(phone)
    return phone
  }

  it('is refused with the wrong one, and not told whether the user exists', async () => {
    const { asked, counted, telephones } = opened
    const phone = await openPhone('guessed')
    await expect.poll(() => phone.log()).toContain('403 Forbidden')
    phone.command('dial', `sip:+4930901820@${room.host}:${opened.port}`)
    expect(await phone.happens('CALL_CLOSED')).toMatchObject({ param: expect.stringContaining('403') })
    expect([telephones.bound, asked]).toEqual([[], []])
    expect(new Set(counted)).toEqual(new Set(['wrong password']))
  })

  it.each(['udp', 'tcp'] as const)(
    'logs in by %s, calls an agent, and is called by one',
    async (transport) => {
      const { asked, door, tell, telephones, toMedia } = opened
      asked.length = toMedia.length = 0
      const phone = await openPhone(password, transport)
      const anna = { username: 'anna', address: room.address, transport }
      await expect.poll(() => telephones.bound[0]).toMatchObject(anna)
      expect(await door.checkTrunk?.(number)).toMatchObject({
        ok: true,
        message: expect.stringMatching(/^Logged in: anna \(/),
      })
      phone.command('dial', `sip:+4930901820@${room.host}:${opened.port}`)
      await phone.happens('CALL_RINGING')
      expect(asked).toMatchObject([{ trunkId: number.id, called: '+4930901820', caller: 'anna' }])
      phone.command('hangup')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'ended' })

      const order = { sessionId: 's2', legOf: null, to: 'sip:anna@parley', from: null, trunkId: number.id }
      tell({ type: 'place', call: `c-${transport}`, ...order })
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'describe' })
      tell({ type: 'described', call: `c-${transport}`, sdp: sdpAt(room.host) })
      await phone.happens('CALL_INCOMING')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'provisional', status: 180 })
      phone.command('accept')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'answered' })
      phone.command('hangup')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'ended', cause: { status: 200 } })
    },
  )

  it.each([
    ['a strange address', () => []],
    ['an address that may call agents without a password', () => [room.address]],
  ])('of Linphone logs in from %s, calls its number, and is called', async (_, allowed) => {
    const listed = await openTestDoor(number, { allow: allowed() })
    const phone = await openLinphone(room, 5_500, join(scratch, 'silence.wav'))
    const { asked, door, tell, telephones, toMedia } = listed
    try {
      const host = `${room.host}:${listed.port}`
      phone.command(`register sip:anna@${host} sip:${host} ${password}`)
      await expect.poll(() => telephones.bound[0]).toMatchObject({ username: 'anna', address: room.address })
      phone.command(`call sip:+4930901820@${host}`)
      await expect
        .poll(() => asked)
        .toMatchObject([{ trunkId: number.id, called: '+4930901820', caller: 'anna' }])
      phone.command('terminate')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'ended' })
      const order = { sessionId: 's4', legOf: null, to: 'sip:anna@parley', from: null, trunkId: number.id }
      tell({ type: 'place', call: 'c-linphone', ...order })
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'describe' })
      tell({ type: 'described', call: 'c-linphone', sdp: sdpAt(room.host) })
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'answered' })
      phone.command('terminate')
      await expect.poll(() => toMedia.at(-1)).toMatchObject({ type: 'ended', cause: { status: 200 } })
      phone.command('unregister')
      await expect.poll(() => telephones.bound).toEqual([])
    } finally {
      await phone.close()
      await door.close()
    }
  })

  it('that has not logged in is not reached, and the call says so', async () => {
    const { tell, telephones, toMedia } = opened
    telephones.bound.length = toMedia.length = 0
    const order = { sessionId: 's3', legOf: null, to: 'sip:anna@parley', from: null, trunkId: number.id }
    tell({ type: 'place', call: 'c3', ...order })
    await expect
      .poll(() => toMedia)
      .toMatchObject([
        { type: 'ended', cause: { status: 480, text: 'The telephone of anna is not logged in.' } },
      ])
  })
})
