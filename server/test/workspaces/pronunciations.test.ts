// The pronunciation dictionary: what is stored and refused, and what a call gets of it.
import { randomUUID } from 'node:crypto'
import { StoredPronunciation } from '@parley/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { type ScriptedRunner, scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let runner: ScriptedRunner
beforeAll(async () => {
  service = await openService(
    { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' },
    undefined,
    () => {
      runner = scriptedRunner()
      return runner
    },
  )
})
afterAll(() => service?.close())

const create = (body: object) => service.ask('POST', '/pronunciations', { body })
const made = async (body: object) => {
  const reply = await create(body)
  expect(reply.status, reply.text).toBe(201)
  return StoredPronunciation.parse(reply.body.data)
}

it('an entry is created, read, listed, changed and removed', async () => {
  const entry = await made({ written: ' Siobhan ', say_as: 'shivawn', ipa: 'ʃɪˈvɔːn' })
  expect(entry).toMatchObject({ written: 'Siobhan', language: null, agent_id: null })
  const path = `/pronunciations/${entry.pronunciation_id}`
  expect((await service.ask('GET', path)).body.data).toEqual(entry)
  expect((await service.ask('GET', '/pronunciations?limit=1')).body.data.data).toEqual([entry])
  expect((await service.ask('GET', '/pronunciations?language=es')).body.data.data).toEqual([])
  const changed = await service.ask('PATCH', path, { body: { say_as: null, language: 'en' } })
  expect(changed.body.data).toMatchObject({ say_as: null, ipa: 'ʃɪˈvɔːn', language: 'en' })
  const emptied = await service.ask('PATCH', path, { body: { ipa: null } })
  expect(emptied.body.details).toEqual([expect.objectContaining({ path: 'say_as' })])
  expect((await service.ask('DELETE', path)).body.data).toMatchObject({ deleted: true })
  expect((await service.ask('GET', path)).body.code).toBe('PRONUNCIATION_NOT_FOUND')
})

it.each([
  ['that does not say how it sounds', { written: 'SQL' }, 'say_as'],
  ['of no letters', { written: '--', say_as: 'x' }, 'written'],
  ['in sounds with slashes', { written: 'SQL', ipa: '/sikwəl/' }, 'ipa'],
  ['in a language that is none', { written: 'SQL', say_as: 'x', language: 'the best one' }, 'language'],
  ['with a key that nothing has', { written: 'SQL', say_as: 'x', loud: true }, 'loud'],
])('an entry %s is refused', async (_, body, path) => {
  const reply = await create(body)
  expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(reply.body.details.map((fault: { path: string }) => fault.path)).toContain(path)
})

it('the same words twice are refused, with the entry to change; those of an agent are others', async () => {
  const { pronunciation_id } = await made({ written: 'Nguyen', say_as: 'win' })
  const again = await create({ written: 'NGUYEN', say_as: 'noo-yen' })
  expect(again.body.details[0].message).toContain(pronunciation_id)
  await made({ written: 'Nguyen', say_as: 'noo-yen', agent_id: await newAgent(service) })
  const nobody = await create({ written: 'Nguyen', say_as: 'x', agent_id: randomUUID() })
  expect([nobody.status, nobody.body.code]).toEqual([404, 'AGENT_NOT_FOUND'])
})

it('another workspace does not see it', async () => {
  const { pronunciation_id } = await made({ written: 'Acme', say_as: 'ack-mee' })
  await service.database.query('UPDATE pronunciations SET workspace_id = $2 WHERE pronunciation_id = $1', [
    ...[pronunciation_id, randomUUID()],
  ])
  const reply = await service.ask('GET', `/pronunciations/${pronunciation_id}`)
  expect(reply.body.code).toBe('PRONUNCIATION_NOT_FOUND')
})

it('a call gets the dictionary, its own agent last, and an agent takes its entries along', async () => {
  const agentId = await newAgent(service)
  const stranger = await newAgent(service)
  await made({ written: 'Xiao', say_as: 'show' })
  const own = await made({ written: 'Xiao', ipa: 'ɕjɑʊ', agent_id: agentId, language: 'en-GB' })
  await made({ written: 'Xiao', say_as: 'zow', agent_id: stranger })
  const sessionId = await placeCall(service, agentId, { to_phone_number: '+15550100' })
  await reaches(service, sessionId, 'completed')
  const plan = runner.plans.find((one) => one.sessionId === sessionId)
  const entries = plan?.synthesizer.options.pronunciations?.filter(({ written }) => written === 'Xiao')
  expect(entries).toEqual([
    { written: 'Xiao', spokenAs: 'show' },
    { written: 'Xiao', ipa: 'ɕjɑʊ', language: 'en' },
  ])
  await service.ask('DELETE', `/agents/${agentId}`)
  expect((await service.ask('GET', `/pronunciations/${own.pronunciation_id}`)).status).toBe(404)
})
