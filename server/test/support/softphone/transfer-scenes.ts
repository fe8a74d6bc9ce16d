// Transfers between real softphones: the first one is called by an agent and wants to speak to somebody else.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseWav } from '../../../src/media/wav-parse.ts'
import { recordingPath } from '../../../src/resources/calls/recordings/recording-file.ts'
import { waitUntil } from '../wait-until.ts'
import { softphoneNumber } from './baresip.ts'
import type { Desk, Phone } from './desk.ts'

const briefing = 'A reader has a question about the garden.'

/** The first softphone has asked for the colleague, and was told to wait. */
async function asked(desk: Desk, mode: 'cold' | 'warm', answers: 'auto' | 'manual' = 'auto') {
  const [first, second] = [
    await desk.phone({ codecs: 'PCMU/8000/1' }),
    await desk.phone({ codecs: 'PCMU/8000/1', answers }),
  ]
  const to = `sip:${softphoneNumber}@${desk.room.address}:${second.port}`
  const destinations = [{ name: 'Ada', to_phone_number: to, mode, message: briefing }]
  const agentId = await desk.agent({ call_transfer_config: { destinations } })
  const session = await desk.place(agentId, await desk.trunk(first.port))
  await first.happens('CALL_ESTABLISHED')
  await desk.hears(session, /library/i)
  await desk.ask(first, desk.wavOf('colleague', 8_000), session, /one moment/i)
  return { first, second, session }
}

const understands = (desk: Desk, phone: Phone, words: RegExp) =>
  waitUntil(
    async () => words.test(await desk.heardBy(phone)) || undefined,
    () => `the softphone hears ${words}`,
  )

export async function transferBlindly(desk: Desk): Promise<void> {
  const { first, second, session } = await asked(desk, 'cold')
  await second.happens('CALL_ESTABLISHED')
  expect(await desk.reaches(session)).toMatchObject({
    hangup_reason: 'transfer_completed',
    transfer: { mode: 'cold', method: 'blind', outcome: 'completed' },
  })
  expect((await desk.ladderOf(session)).map(({ text }) => text).join('\n')).toMatch(/^REFER /m)
  first.says(desk.wavOf('garden', 8_000))
  await understands(desk, second, /yellow|flowers/)
}

export async function transferWarmly(desk: Desk): Promise<void> {
  const { first, second, session } = await asked(desk, 'warm')
  await second.happens('CALL_ESTABLISHED')
  // An answer counts once the question has been asked.
  await understands(desk, second, /two|decline/)
  second.says(desk.wavOf('yes', 8_000))
  await desk.notes(session, /caller was connected to Ada/)
  first.says(desk.wavOf('garden', 8_000))
  await understands(desk, second, /yellow|flowers/)
  second.says(desk.wavOf('hours', 8_000))
  await understands(desk, first, /open/)
  first.command('hangup')
  await second.happens('CALL_CLOSED')
  expect(await desk.reaches(session)).toMatchObject({
    transfer: { mode: 'warm', method: 'bridged', outcome: 'completed' },
  })
  // One recording has it all: what the other one said before it was joined, and afterwards. (By any of their words: a softphone
  // stutters on a busy machine.)
  const file = recordingPath(join(desk.service.dataDir, 'recordings'), session)
  const [callers, agent] = parseWav(await readFile(file)).channels
  expect(await desk.understood(callers ?? new Int16Array(), 16_000)).toMatch(
    /(colleague|connect).*(yes|sure|talk).*(yellow|flowers).*open/s,
  )
  expect(await desk.understood(agent ?? new Int16Array(), 16_000)).toMatch(/reader|question|garden/)
}

export async function transferBack(desk: Desk): Promise<void> {
  const { first, second, session } = await asked(desk, 'warm', 'manual')
  await second.happens('CALL_INCOMING')
  second.command('hangup')
  await desk.hears(session, /could not reach/)
  await desk.ask(first, desk.wavOf('hours', 8_000), session, /nine to five/)
  first.command('hangup')
  expect(await desk.reaches(session)).toMatchObject({
    hangup_reason: 'user_hangup',
    transfer: { method: 'bridged', outcome: expect.stringMatching(/busy|declined/) },
  })
  expect(await desk.heardBy(first)).toMatch(/library.*reach.*open/s)
}
