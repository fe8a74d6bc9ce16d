// Saving corrections while they are typed, with a server that is one, is away, or has somebody else's.
import type { Corrections, NewCorrections, Segment } from '@parley/contract'
import { expect, it } from 'vitest'
import { Refusal } from '../api.ts'
import { CorrectionsSaver, type SaverParts } from './corrections-saver.ts'
import { type Draft, type Edits, noEdits, tidied } from './edits.ts'

const heard = ['one', 'two', 'three'].map((text, id) => ({ id, text }) as Segment)
const texts = (all: Edits['texts']): Edits => ({ ...noEdits, texts: all })
const away = () => new Refusal(0, { message: 'The server does not answer.' })

/** What the service does, without its network. */
function server() {
  let stored: Corrections = {
    transcript_id: 't',
    version: 0,
    speakers: [],
    segments: [],
    author: null,
    saved_at: null,
  }
  const write = ({ base_version, ...corrected }: NewCorrections, name = 'me') => {
    if (base_version !== stored.version) throw new Refusal(400, { code: 'CORRECTIONS_CONFLICT' })
    const author = { type: 'user', id: 'u', name } as const
    stored = { ...stored, ...corrected, version: stored.version + 1, author, saved_at: 'now' }
    return stored
  }
  const asked: NewCorrections[] = []
  return {
    asked,
    get stored() {
      return stored
    },
    /** Somebody else's. */
    write: (segments: NewCorrections['segments']) =>
      write({ speakers: [], segments, base_version: stored.version }, 'grace'),
    /** Happens before an answer is given. */
    before: async () => {},
    /** Happens after it was carried out. */
    after: async () => {},
    async save(body: NewCorrections): Promise<Corrections> {
      asked.push(body)
      await this.before()
      const answer = write(body)
      await this.after()
      return answer
    },
  }
}

function openSaver(at = server(), more: Partial<SaverParts> = {}) {
  let kept: Draft | undefined
  const saver = new CorrectionsSaver({
    stored: at.stored,
    draft: undefined,
    tidy: (edits) => tidied(edits, heard),
    save: (body) => at.save(body),
    load: async () => at.stored,
    keep: (draft) => {
      kept = draft
    },
    isOnline: () => true,
    delayMs: 0,
    retryMs: 1,
    ...more,
  })
  saver.open()
  const reaches = (status: string) => expect.poll(() => saver.snapshot().status).toBe(status)
  return { at, saver, reaches, kept: () => kept }
}

it('what is typed is kept until it is saved', async () => {
  const { at, saver, reaches, kept } = openSaver()
  expect(saver.snapshot().status).toBe('saved')
  saver.edit(texts({ 1: 'Two ' }))
  expect(saver.snapshot()).toMatchObject({ status: 'saving', edits: texts({ 1: 'Two ' }) })
  expect(kept()).toEqual({ base: noEdits, mine: texts({ 1: 'Two ' }) })
  await reaches('saved')
  expect(at.stored).toMatchObject({ version: 1, segments: [{ id: 1, text: 'Two' }] })
  expect(saver.snapshot().stored.version).toBe(1)
  expect(kept()).toBeUndefined()
})

it('what is typed while it is being saved is saved next, and does not clash with itself', async () => {
  const { at, saver, reaches } = openSaver()
  const answer = Promise.withResolvers<void>()
  at.after = () => answer.promise
  saver.edit(texts({ 1: 'Tw' }))
  await expect.poll(() => at.asked.length).toBe(1)
  saver.edit(texts({ 1: 'Two' }))
  // It is in the list of another page already.
  saver.take(at.stored)
  answer.resolve()
  await reaches('saved')
  expect(at.asked.map(({ base_version }) => base_version)).toEqual([0, 1])
  expect(at.stored.segments).toEqual([{ id: 1, text: 'Two' }])
})

it('nothing is sent where nothing was corrected', async () => {
  const { at, saver, kept } = openSaver()
  saver.edit(texts({ 1: ' two' }))
  saver.flush()
  expect([saver.snapshot().status, kept()]).toEqual(['saved', undefined])
  expect(at.asked).toEqual([])
})

it('a server that is away is asked again, and nothing is lost', async () => {
  const { at, saver, reaches, kept } = openSaver()
  let isAway = true
  at.before = async () => {
    if (isAway) throw away()
  }
  saver.edit(texts({ 1: 'Two' }))
  await reaches('failed')
  expect(saver.snapshot().error?.message).toBe('The server does not answer.')
  expect(kept()?.mine).toEqual(texts({ 1: 'Two' }))
  isAway = false
  await reaches('saved')
  expect(at.stored.segments).toEqual([{ id: 1, text: 'Two' }])
})

it('a browser without a connection asks when it has one', async () => {
  const { at, saver, reaches } = openSaver(server(), { isOnline: () => false })
  at.before = () => Promise.reject(away())
  saver.edit(texts({ 1: 'Two' }))
  await reaches('failed')
  at.before = async () => {}
  expect(at.asked).toHaveLength(1)
  saver.flush()
  await reaches('saved')
})

it('a refusal is told and not repeated', async () => {
  const { at, saver, reaches, kept } = openSaver()
  at.before = () => Promise.reject(new Refusal(403, { code: 'ROLE_REQUIRED', message: 'No.' }))
  saver.edit(texts({ 1: 'Two' }))
  await reaches('failed')
  expect(saver.snapshot().error?.message).toBe('No.')
  expect(kept()?.mine).toEqual(texts({ 1: 'Two' }))
})

it('an answer that is lost on the way is no clash, whatever was typed since', async () => {
  const { at, saver, reaches } = openSaver()
  at.after = async () => {
    at.after = async () => {}
    saver.edit(texts({ 1: 'Two' }))
    throw away()
  }
  saver.edit(texts({ 1: 'Tw' }))
  await reaches('saved')
  expect(at.stored).toMatchObject({ version: 2, segments: [{ id: 1, text: 'Two' }] })
})

it('what somebody else has saved meanwhile is joined with it', async () => {
  const { at, saver, reaches } = openSaver()
  at.write([{ id: 0, text: 'One' }])
  saver.edit(texts({ 1: 'Two' }))
  await reaches('saved')
  expect(saver.snapshot().edits).toEqual(texts({ 0: 'One', 1: 'Two' }))
  expect(at.stored.segments.toSorted((one, other) => one.id - other.id)).toEqual([
    { id: 0, text: 'One' },
    { id: 1, text: 'Two' },
  ])
  saver.take(at.write([{ id: 2, text: 'Three' }]))
  expect(saver.snapshot()).toMatchObject({ status: 'saved', edits: texts({ 2: 'Three' }) })
})

it.each([
  ['mine', 'deux'],
  ['theirs', 'zwei'],
] as const)('of two corrections of one line neither is lost: %s is chosen', async (whose, text) => {
  const { at, saver, reaches, kept } = openSaver()
  at.write([{ id: 1, text: 'zwei' }])
  saver.edit(texts({ 0: 'un', 1: 'deux' }))
  await reaches('clashing')
  const { clashes, edits } = saver.snapshot()
  expect(clashes).toEqual([{ kind: 'texts', key: '1', mine: 'deux', theirs: 'zwei' }])
  expect(edits).toEqual(texts({ 0: 'un', 1: 'deux' }))
  expect(at.stored.segments).toEqual([{ id: 1, text: 'zwei' }])
  // Somebody who comes back later is asked again.
  const later = openSaver(at, { draft: kept() })
  expect(later.saver.snapshot().clashes).toEqual(clashes)

  saver.settle(clashes[0] as (typeof clashes)[number], whose)
  await reaches('saved')
  expect(Object.fromEntries(at.stored.segments.map((one) => [one.id, one.text]))).toEqual({
    0: 'un',
    1: text,
  })
})

it('what was not saved at the last visit is saved at this one', async () => {
  const draft = { base: noEdits, mine: texts({ 1: 'Two' }) }
  const { at, reaches, kept } = openSaver(server(), { draft })
  await reaches('saved')
  expect(at.stored.segments).toEqual([{ id: 1, text: 'Two' }])
  expect(kept()).toBeUndefined()
})

it('corrections of a time before are brought in beside the others', async () => {
  const at = server()
  at.write([
    { id: 0, text: 'One' },
    { id: 1, text: 'zwei' },
  ])
  const { saver, reaches } = openSaver(at)
  saver.bring(texts({ 1: 'deux', 2: 'Three' }))
  await reaches('clashing')
  const { edits, clashes } = saver.snapshot()
  expect(edits).toEqual(texts({ 0: 'One', 1: 'deux', 2: 'Three' }))
  expect(clashes).toEqual([{ kind: 'texts', key: '1', mine: 'deux', theirs: 'zwei' }])
})

it('a page that is left saves what is waiting', async () => {
  const { at, saver, kept } = openSaver(server(), { delayMs: 1_000_000 })
  saver.edit(texts({ 1: 'Two' }))
  saver.close()
  await expect.poll(() => at.stored.version).toBe(1)
  await expect.poll(kept).toBeUndefined()
})
