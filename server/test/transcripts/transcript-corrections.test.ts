// Corrections of transcripts: what people have corrected is there for everybody, beside what was heard, and nobody
// overwrites what they have not seen.
import { randomUUID } from 'node:crypto'
import { SpeechToText } from '@parley/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, invite, owner, type TestPerson } from '../support/people.ts'
import { inRounds, interleaved, oneOf, outcomes } from '../support/requests/race.ts'
import { boundKey, type Reply, workspaceId } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let ada: TestPerson
let grace: TestPerson
let viewer: TestPerson
/** Three segments of two speakers; the tests that change it make copies. */
let original: string
beforeAll(async () => {
  fixture = await openTranscriptionFixture({ PARLEY_RATE_LIMIT: '1000000' })
  ada = await invite(fixture, { email: 'ada@example.com', workspaces: [as('editor')] })
  grace = await invite(fixture, { email: 'grace@example.com', workspaces: [as('editor')] })
  viewer = await invite(fixture, { workspaces: [as('viewer')] })
  const file_id = await fixture.fileOf(toneWav(3))
  const wish = { file_id, diarize: true, align: true }
  const { body } = await fixture.speak('POST', '/transcripts', { body: wish })
  original = body.data.transcript_id
  await fixture.ended(original)
})
afterAll(() => fixture?.close())

/** A copy of the transcript, in this workspace and with this status. */
async function newTranscript(within = workspaceId, status = 'completed'): Promise<string> {
  const id = randomUUID()
  await fixture.database.query(
    `INSERT INTO transcripts (transcript_id, workspace_id, options, status, due_at, findings, error, completed_at)
     SELECT $1, $2, options, $3, NULL, CASE $3 WHEN 'completed' THEN findings END,
       CASE $3 WHEN 'failed' THEN 'The engine fell.' END, completed_at
     FROM transcripts WHERE transcript_id = $4`,
    [id, within, status, original],
  )
  return id
}

const pathOf = (id: string) => `/transcripts/${id}/corrections`
const inside = (path: string) => `/workspaces/${workspaceId}${path}`
const read = (id: string, person: TestPerson = ada) => person.ask('GET', inside(pathOf(id)))
const write = (id: string, body: object, person: TestPerson = ada) =>
  person.ask('PUT', inside(pathOf(id)), body)

const nothing = { speakers: [], segments: [] }
const named = (name: string) => ({ ...nothing, speakers: [{ speaker: 'SPEAKER_01', name }] })
const said = (text: string, id = 2) => ({ ...nothing, segments: [{ id, text }] })
const stored = (id: string) =>
  fixture.database.query('SELECT version FROM transcript_corrections WHERE transcript_id = $1', [id])

describe('the corrections of a transcript', () => {
  it('are none at first', async () => {
    const id = await newTranscript()
    expect((await read(id)).body.data).toEqual({
      transcript_id: id,
      version: 0,
      ...nothing,
      author: null,
      saved_at: null,
    })
  })

  it('are there for everybody with who and when, and leave what was heard as it is', async () => {
    const id = await newTranscript()
    const formats = ['json', 'text', 'srt', 'vtt'].map((format) => `/transcripts/${id}?format=${format}`)
    const heard = async () =>
      (await Promise.all(formats.map((path) => fixture.speak('GET', path)))).map(({ text }) => text)
    const before = await heard()
    const corrected = {
      speakers: [
        { speaker: 'SPEAKER_01', name: 'Grace' },
        { speaker: 'SPEAKER_00', name: 'Ada' },
      ],
      segments: [
        { id: 2, text: 'Three!' },
        { id: 0, text: '' },
      ],
    }
    const { status, body } = await write(id, { ...corrected, base_version: 0 })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      transcript_id: id,
      version: 1,
      speakers: corrected.speakers.toReversed(),
      segments: corrected.segments.toReversed(),
      author: { type: 'user', id: expect.any(String), name: 'ada@example.com' },
      saved_at: expect.stringMatching(/^\d{4}-/),
    })
    for (const person of [grace, viewer]) expect((await read(id, person)).body.data).toEqual(body.data)
    expect((await fixture.speak('GET', pathOf(id.toUpperCase()))).body.data).toEqual(body.data)
    expect(await heard()).toEqual(before)

    const again = await write(id, { ...named('Hopper'), base_version: 1 }, grace)
    expect(again.body.data).toMatchObject({ version: 2, ...named('Hopper') })
    expect(again.body.data.author.name).toBe('grace@example.com')
  })

  it('are read and written by programs', async () => {
    const id = await newTranscript()
    const speech = new SpeechToText({ baseUrl: `${fixture.url}/v1`, apiKey: boundKey })
    const { version } = await speech.putCorrections(id, { ...named('Ada'), base_version: 0 })
    expect(version).toBe(1)
    const { author, speakers } = await speech.corrections(id)
    expect(speakers).toEqual([{ speaker: 'SPEAKER_01', name: 'Ada' }])
    expect(author).toMatchObject({ type: 'key', name: 'First bound key' })
  })

  it('are not for a viewer to write', async () => {
    const id = await newTranscript()
    expect(outcomes([await write(id, { ...said('Three!'), base_version: 0 }, viewer)])).toEqual([
      '403 ROLE_REQUIRED',
    ])
    expect(await stored(id)).toEqual([])
  })

  it('are not overwritten by somebody who has not seen them', async () => {
    const id = await newTranscript()
    await write(id, { ...said('Three!'), base_version: 0 })
    const second = await write(id, { ...said('3'), base_version: 0 }, grace)
    expect([second.status, second.body.code, second.body.message]).toEqual([
      400,
      'CORRECTIONS_CONFLICT',
      'The corrections are at version 1 by now, not 0; nothing was written.',
    ])
    expect((await read(id)).body.data).toMatchObject({ version: 1, ...said('Three!') })
    expect((await write(id, { ...said('3'), base_version: 7 }, grace)).body.code).toBe('CORRECTIONS_CONFLICT')
    expect((await write(id, { ...said('3'), base_version: 1 }, grace)).body.data.version).toBe(2)
  })

  it('are not made from a version that never was', async () => {
    const id = await newTranscript()
    expect((await write(id, { ...said('3'), base_version: 1 })).body.code).toBe('CORRECTIONS_CONFLICT')
    expect(await stored(id)).toEqual([])
  })

  it('may be sent again, in any order, without a new version', async () => {
    const id = await newTranscript()
    const segments = [
      { id: 1, text: 'Two' },
      { id: 0, text: 'One' },
    ]
    const first = await write(id, { ...nothing, segments, base_version: 0 })
    for (const base_version of [0, 1]) {
      const again = await write(id, { ...nothing, segments: segments.toReversed(), base_version }, grace)
      expect(again.body.data).toEqual(first.body.data)
    }
  })

  it('are taken back by two empty lists, and what was made from them before is refused', async () => {
    const id = await newTranscript()
    await write(id, { ...said('Three!'), base_version: 0 })
    const { body } = await write(id, { ...nothing, base_version: 1 }, grace)
    expect(body.data).toMatchObject({ version: 2, ...nothing, author: { name: 'grace@example.com' } })
    for (const base_version of [0, 1])
      expect((await write(id, { ...said('3'), base_version })).body.code).toBe('CORRECTIONS_CONFLICT')
  })
})

describe('people who correct at the same time', () => {
  it.each([0, 1])('are told, all but one, at version %i', async (base_version) => {
    await inRounds(async () => {
      const id = await newTranscript()
      if (base_version === 1) await write(id, { ...said('Three!'), base_version: 0 })
      const replies = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          write(id, { ...said(`By ${n}`), base_version }, n % 2 ? ada : grace),
        ),
      )
      expect(outcomes(replies)).toEqual(oneOf('400 CORRECTIONS_CONFLICT'))
      const won = replies.find(({ status }) => status === 200) as Reply
      expect((await read(id)).body.data).toEqual(won.body.data)
    })
  })

  it('are told also when both have read before either has written', async () => {
    const id = await newTranscript()
    await write(id, { ...said('Three!'), base_version: 0 })
    const reply = await interleaved(fixture.database, {
      hold: `UPDATE transcript_corrections SET version = version + 1 WHERE transcript_id = '${id}'`,
      request: () => write(id, { ...said('3'), base_version: 1 }, grace),
      waitingIn: 'INSERT INTO transcript_corrections',
    })
    expect(outcomes([reply])).toEqual(['400 CORRECTIONS_CONFLICT'])
  })

  it('find nothing if it is deleted meanwhile', async () => {
    const id = await newTranscript()
    const reply = await interleaved(fixture.database, {
      hold: `DELETE FROM transcripts WHERE transcript_id = '${id}'`,
      request: () => write(id, { ...said('3'), base_version: 0 }),
      waitingIn: 'INSERT INTO transcript_corrections',
    })
    expect(outcomes([reply])).toEqual(['404 TRANSCRIPT_NOT_FOUND'])
    expect(await stored(id)).toEqual([])
  })
})

describe('what is refused', () => {
  const long = 'a'.repeat(10_001)
  const speaker = 'SPEAKER_00'
  it.each<[string, object, string]>([
    ['without a version', { base_version: undefined }, 'base_version'],
    ['from a version below zero', { base_version: -1 }, 'base_version'],
    ['without speakers', { speakers: undefined }, 'speakers'],
    ['without segments', { segments: undefined }, 'segments'],
    [
      'of a speaker who is not there',
      { speakers: [{ speaker: 'SPEAKER_07', name: 'Ada' }] },
      'speakers.0.speaker',
    ],
    ['of a speaker twice', { speakers: ['A', 'B'].map((name) => ({ speaker, name })) }, 'speakers.1.speaker'],
    ['with an empty name', { speakers: [{ speaker, name: '' }] }, 'speakers.0.name'],
    ['with a long name', { speakers: [{ speaker, name: 'a'.repeat(101) }] }, 'speakers.0.name'],
    [
      'of a segment that is not there',
      {
        segments: [
          { id: 0, text: 'a' },
          { id: 3, text: 'b' },
        ],
      },
      'segments.1.id',
    ],
    [
      'of a segment twice',
      {
        segments: [
          { id: 1, text: 'a' },
          { id: 1, text: 'b' },
        ],
      },
      'segments.1.id',
    ],
    ['of half a segment', { segments: [{ id: 1.5, text: 'a' }] }, 'segments.0.id'],
    ['with a long text', { segments: [{ id: 1, text: long }] }, 'segments.0.text'],
    ['with a text that is none', { segments: [{ id: 1, text: null }] }, 'segments.0.text'],
    ['of words', { words: [] }, 'words'],
    [
      'of more segments than a list may have',
      { segments: Array.from({ length: 10_001 }, (_, id) => ({ id, text: '' })) },
      'segments',
    ],
  ])('corrections %s', async (_name, wrong, path) => {
    const { status, body } = await write(original, { ...nothing, base_version: 0, ...wrong })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual([path])
    expect(await stored(original)).toEqual([])
  })

  it('more than a body may have', async () => {
    const segments = Array.from({ length: 110 }, (_, id) => ({ id, text: long.slice(1) }))
    const { body } = await write(original, { ...nothing, segments, base_version: 0 })
    expect(body.code).toBe('PAYLOAD_TOO_LARGE')
  })

  it.each([
    ['processing', 'This transcript is not completed; it can be corrected when it is.'],
    ['failed', 'It failed: The engine fell.'],
  ])('corrections of a transcript that is %s, which can be read', async (status, message) => {
    const id = await newTranscript(workspaceId, status)
    expect((await read(id)).body.data.version).toBe(0)
    const { body } = await write(id, { ...nothing, base_version: 0 })
    expect([body.code, body.message]).toEqual(['TRANSCRIPT_NOT_READY', message])
  })

  it('corrections of what is not there, or elsewhere', async () => {
    const boss = await owner(fixture)
    const { workspace_id: other } = (await boss.ask('POST', '/workspaces', { name: 'Elsewhere' })).body.data
    for (const id of [randomUUID(), await newTranscript(other)]) {
      expect(outcomes([await read(id)])).toEqual(['404 TRANSCRIPT_NOT_FOUND'])
      expect(outcomes([await write(id, { ...said('3'), base_version: 0 })])).toEqual([
        '404 TRANSCRIPT_NOT_FOUND',
      ])
    }
  })
})

describe('corrections are deleted', () => {
  it('with their transcript', async () => {
    const id = await newTranscript()
    await write(id, { ...said('Three!'), base_version: 0 })
    expect((await fixture.speak('DELETE', `/transcripts/${id}`)).status).toBe(200)
    expect(await stored(id)).toEqual([])
    expect((await read(id)).body.code).toBe('TRANSCRIPT_NOT_FOUND')
  })

  it('with their workspace', async () => {
    const boss = await owner(fixture)
    const name = 'Short-lived'
    const { workspace_id: other } = (await boss.ask('POST', '/workspaces', { name })).body.data
    const id = await newTranscript(other)
    const path = `/workspaces/${other}${pathOf(id)}`
    expect((await boss.ask('PUT', path, { ...said('Three!'), base_version: 0 })).status).toBe(200)
    expect(await stored(id)).toHaveLength(1)
    await boss.ask('POST', `/workspaces/${other}/delete`, { name })
    await expect
      .poll(async () => (await boss.ask('GET', '/workspace-deletions')).body.data.data[0].status)
      .toBe('completed')
    expect(await stored(id)).toEqual([])
  })
})
