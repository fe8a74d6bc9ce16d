// Real softphones call agents and are called by them: baresip and Linphone from Debian, in a network of their own.
//
// In real time: softphones have no virtual clock. Speed is not asserted. Several calls at a time, each with an agent of its
// own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { noKamailio } from '../props/sip/kamailio/kamailio.ts'
import { openSpoiledPath } from '../props/sip/spoiled-path.ts'
import { badLine, Spoiler } from '../props/sip/spoiler.ts'
import { describeUnless, itUnless } from '../props/unless.ts'
import { detailOf } from '../support/call-fixture.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { softphoneNumber } from '../support/softphone/baresip.ts'
import { type Desk, openDesk } from '../support/softphone/desk.ts'
import { examineTrunks } from '../support/softphone/doctor-scene.ts'
import { transferBack, transferBlindly, transferWarmly } from '../support/softphone/transfer-scenes.ts'

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
const absent = models.absent ?? (canOpenNamespace() ? undefined : 'only root can open network namespaces')

const hours = /nine to five|9 to 5/
// That the greeting is there, not each of its words: on a machine that stood still for a moment, one has a hole in it.
const wholeConversation = /(city|library).*(nine to five|9 to 5)/s

const startLines = (ladder: readonly { direction: string; text: string }[]) =>
  ladder.map(({ direction, text }) => `${direction} ${text.split('\r\n')[0]}`)

describeUnless(absent, 'softphones', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk(models.folder)
  })
  afterAll(() => desk?.close())

  const reached = (agentId: string) => `sip:${agentId}@${desk.room.host}:${desk.port}`
  const greeted = (session: string) => desk.hears(session, /library/i)

  it.concurrent('call with PCMU, are understood, press keys and hear them, hold and hang up', async () => {
    const agentId = await desk.agent()
    const phone = await desk.phone({ codecs: 'PCMU/8000/1' })
    phone.command('dial', reached(agentId))
    await phone.happens('CALL_ESTABLISHED')
    const session = await desk.sessionOf(agentId)
    await greeted(session)
    await desk.ask(phone, desk.wavOf('hours', 8_000), session, hours)
    phone.command('sndcode', '5')
    await desk.hears(session, /key five/)
    await desk.ask(phone, desk.wavOf('code', 8_000), session, /it is done/i)
    for (const [i, key] of ['4', '7', '#'].entries())
      expect(await phone.happens('CALL_DTMF_START', i + 1)).toMatchObject({ param: key })
    phone.command('hold')
    await phone.happens('CALL_REMOTE_SDP', 2)
    phone.command('resume')
    await phone.happens('CALL_REMOTE_SDP', 3)
    phone.command('hangup')
    await desk.reaches(session)
    expect(await desk.said(session, 'user')).toMatch(/open/i)
    expect(await desk.heardBy(phone)).toMatch(wholeConversation)
    expect(await detailOf(desk.service, session)).toMatchObject({
      call_type: 'inbound',
      provider: 'sip',
      from_phone_number: softphoneNumber,
      hangup_reason: 'user_hangup',
      line: { codec: 'PCMU/8000', quality: { packets_lost: 0 } },
    })
    const answers = (await desk.ladderOf(session)).filter(
      ({ direction, text }) =>
        direction === 'out' && text.startsWith('SIP/2.0 200') && text.includes('m=audio'),
    )
    const directions = answers.map(({ text }) => /^a=(sendrecv|recvonly|sendonly|inactive)/m.exec(text)?.[1])
    expect(directions).toEqual(['sendrecv', 'recvonly', 'sendrecv'])
  })

  it.concurrent('are called through a trunk with G722', async () => {
    const agentId = await desk.agent()
    const phone = await desk.phone({ codecs: 'G722/16000/1' })
    const trunk = await desk.trunk(phone.port, {
      codecs: ['G722', 'PCMU'],
      headers: { 'X-Account': 'secret-7' },
    })
    const session = await desk.place(agentId, trunk)
    await phone.happens('CALL_ESTABLISHED')
    await greeted(session)
    await desk.ask(phone, desk.wavOf('hours', 16_000), session, hours)
    await desk.service.ask('POST', `/calls/${session}/stop`)
    await phone.happens('CALL_CLOSED')
    await desk.reaches(session)
    expect(await desk.heardBy(phone)).toMatch(wholeConversation)
    expect(await detailOf(desk.service, session)).toMatchObject({
      call_type: 'outbound',
      provider: 'sip',
      hangup_reason: 'api_stopped',
      line: { codec: 'G722/16000' },
    })
    const ladder = await desk.ladderOf(session)
    expect(startLines(ladder)).toEqual([
      `out INVITE sip:${softphoneNumber}@${desk.room.address}:${phone.port} SIP/2.0`,
      'in SIP/2.0 180 Ringing',
      'in SIP/2.0 200 Answering',
      expect.stringMatching(/^out ACK/),
      expect.stringMatching(/^out BYE/),
      'in SIP/2.0 200 OK',
    ])
    expect(ladder[0]?.text).toMatch(/From: <sip:\+49309018\d\d@/)
    expect(ladder[0]?.text).not.toContain('secret-7')
  })

  it.concurrent('are cancelled by us and cancel, and are refused where nobody is', async () => {
    const agentId = await desk.agent()
    const phone = await desk.phone({ codecs: 'PCMA/8000/1', answers: 'manual' })
    const session = await desk.place(agentId, await desk.trunk(phone.port))
    await phone.happens('CALL_INCOMING')
    await desk.reaches(session, 'ringing')
    await desk.service.ask('POST', `/calls/${session}/stop`)
    await phone.happens('CALL_CLOSED')
    await desk.reaches(session, 'canceled')
    expect(startLines(await desk.ladderOf(session)).join()).toMatch(/out CANCEL.*in SIP.2.0 487/)

    const other = await desk.agent()
    phone.command('dial', reached(other))
    phone.command('hangup')
    await phone.happens('CALL_CLOSED', 2)
    const cancelled = await desk.sessionOf(other)
    await desk.isOver(cancelled)

    phone.command('dial', reached('7d0c9d3a-8f7e-4a51-9d0e-2f6d4b0f7a11'))
    expect(await phone.happens('CALL_CLOSED', 3)).toMatchObject({ param: '404 Not Found' })
  })

  it.concurrent('call over TLS with encrypted sound', async () => {
    const agentId = await desk.agent()
    const { certificate } = desk
    const phone = await desk.phone({ codecs: 'PCMA/8000/1', transport: 'tls', srtp: true, certificate })
    phone.command('dial', `sip:${agentId}@${desk.room.host}:${desk.tlsPort};transport=tls`)
    await phone.happens('CALL_ESTABLISHED')
    const session = await desk.sessionOf(agentId)
    await greeted(session)
    await desk.ask(phone, desk.wavOf('hours', 8_000), session, hours)
    phone.command('hangup')
    await desk.reaches(session)
    expect(await desk.heardBy(phone)).toMatch(hours)
    const ladder = await desk.ladderOf(session)
    expect(ladder[0]).toMatchObject({ transport: 'tls', text: expect.stringContaining('inline:(removed)') })
    expect(ladder.some(({ text }) => /inline:[A-Za-z0-9+/]{20}/.test(text))).toBe(false)
  })

  it.concurrent('call over TCP with Opus', async () => {
    const agentId = await desk.agent()
    const phone = await desk.phone({ codecs: 'opus/48000/2', transport: 'tcp' })
    phone.command('dial', `${reached(agentId)};transport=tcp`)
    await phone.happens('CALL_ESTABLISHED')
    const session = await desk.sessionOf(agentId)
    await greeted(session)
    await desk.ask(phone, desk.wavOf('hours', 48_000), session, hours)
    phone.command('hangup')
    await desk.reaches(session)
    expect(await desk.heardBy(phone)).toMatch(wholeConversation)
    expect((await detailOf(desk.service, session)).line).toMatchObject({ codec: 'opus/16000' })
    expect((await desk.ladderOf(session))[0]).toMatchObject({ transport: 'tcp' })
  })

  it.concurrent('of Linphone call, press keys, and are called', async () => {
    const agentId = await desk.agent()
    const phone = await desk.linphone()
    phone.command(`call ${reached(agentId)}`)
    const session = await desk.sessionOf(agentId)
    await greeted(session)
    await desk.ask(phone, desk.wavOf('hours', 8_000), session, hours)
    phone.command('5')
    await desk.hears(session, /key five/)
    await desk.ask(phone, desk.wavOf('code', 8_000), session, /it is done/i)
    await phone.prints(/Receiving tone #/)
    phone.command('terminate')
    await desk.reaches(session)
    expect(await desk.heardBy(phone)).toMatch(wholeConversation)

    // Another one: the first would begin its next call with the words that it said last.
    const other = await desk.linphone()
    const called = await desk.place(await desk.agent(), await desk.trunk(other.port, { codecs: ['PCMA'] }))
    await greeted(called)
    await desk.ask(other, desk.wavOf('hours', 8_000), called, hours)
    await desk.service.ask('POST', `/calls/${called}/stop`)
    await desk.reaches(called)
    expect((await detailOf(desk.service, called)).line).toMatchObject({ codec: 'PCMA/8000' })
  })

  it.concurrent('transfer themselves to another one where they are asked to', () => transferBlindly(desk))

  it.concurrent('are joined with another one that the agent has spoken to', () => transferWarmly(desk))

  it.concurrent('come back to the agent when the other one does not take the call', () => transferBack(desk))

  it.concurrent('hold a conversation over a line that loses, delays, reorders and repeats', async () => {
    const agentId = await desk.agent()
    const spoilers = [new Spoiler(badLine, 71), new Spoiler(badLine, 9)] as const
    const path = await openSpoiledPath(desk.room.host, desk.port, ...spoilers)
    try {
      const phone = await desk.phone({ codecs: 'PCMU/8000/1' })
      phone.command('dial', `sip:${agentId}@${desk.room.host}:${path.port}`)
      await phone.happens('CALL_ESTABLISHED')
      const session = await desk.sessionOf(agentId)
      await greeted(session)
      await desk.ask(phone, desk.wavOf('hours', 8_000), session, hours)
      phone.command('hangup')
      await desk.reaches(session)
      expect(await desk.heardBy(phone)).toMatch(/library|open|nine|five/)
      // It was as bad as it should be, and the record says so.
      expect(spoilers.every(({ lost, repeated }) => lost > 0 && repeated > 0)).toBe(true)
      const { line } = await detailOf(desk.service, session)
      expect(line.quality.mos).toBeLessThan(3.5)
    } finally {
      path.close()
    }
  })

  itUnless(noKamailio, 'a trunk is examined by a call to itself, and one without sound is found out', () =>
    examineTrunks(desk),
  )
})
