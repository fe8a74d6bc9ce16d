// The order in which models are asked, with models that fail on request.
import { describe, expect, it, vi } from 'vitest'
import type { LanguageModel, ModelPart } from '../../../ports/language-model.ts'
import { failover } from './failover.ts'
import { ModelError, type ModelErrorKind } from './model-error.ts'

type Turn = string | ModelError

/** Replays its turns in order; an error is thrown after the words before it. */
function scripted(...answers: Turn[][]): LanguageModel & { asked: number } {
  const model = {
    asked: 0,
    async *reply(): AsyncGenerator<ModelPart> {
      const turns = answers[model.asked++] ?? []
      for (const turn of turns) {
        if (turn instanceof ModelError) throw turn
        yield { type: 'text', text: turn }
      }
    },
  }
  return model
}

const fails = (kind: ModelErrorKind, retryAfterMs?: number) => [
  new ModelError(kind, `it is ${kind}`, { retryAfterMs }),
]

async function said(model: LanguageModel, signal = new AbortController().signal): Promise<string> {
  let words = ''
  for await (const part of model.reply({ messages: [], tools: [] }, signal))
    if (part.type === 'text') words += part.text
  return words
}

/** A clock that shows how long was waited, and passes at once. */
function waits() {
  const waited: number[] = []
  const wait = (ms: number) => {
    waited.push(ms)
    return Promise.resolve()
  }
  return { waited, wait }
}

describe('before the first word', () => {
  it('the next model is asked at once, with the reason reported, and nobody waits', async () => {
    const { waited, wait } = waits()
    const heard: string[] = []
    const first = scripted(fails('busy'), ['Yes.'])
    const model = failover([first, scripted(['No.'])], { wait, onFailure: (why) => heard.push(why) })
    expect(await said(model)).toBe('No.')
    expect([first.asked, waited, heard]).toEqual([1, [], ['it is busy']])
  })

  it.each<ModelErrorKind>(['busy', 'gone', 'garbled'])(
    'a model that is %s, and the only one, is asked again after longer and longer pauses',
    async (kind) => {
      const { waited, wait } = waits()
      const heard: string[] = []
      const only = scripted(fails(kind), fails(kind), fails(kind), ['Yes.'])
      expect(await said(failover([only], { wait, onFailure: (why) => heard.push(why) }))).toBe('Yes.')
      expect(waited).toEqual([300, 1_000, 2_000])
      expect(heard[1]).toBe(`it is ${kind}; it is asked again in 1 s`)
    },
  )

  it('four times, and then it is said that asking again would not help', async () => {
    const { waited, wait } = waits()
    const only = scripted(...Array.from({ length: 9 }, () => fails('busy')))
    await expect(said(failover([only], { wait }))).rejects.toMatchObject({
      message: 'it is busy',
      isFinal: true,
    })
    expect([only.asked, waited.length]).toEqual([4, 3])
  })

  it.each<ModelErrorKind>(['refused', 'late'])('a model that is %s is not asked again', async (kind) => {
    const { waited, wait } = waits()
    const only = scripted(fails(kind), ['Yes.'])
    await expect(said(failover([only], { wait }))).rejects.toMatchObject({ isFinal: true })
    expect([only.asked, waited]).toEqual([1, []])
  })

  it('all models are asked again that may have recovered, and no other', async () => {
    const { waited, wait } = waits()
    const models = [
      scripted(fails('busy'), fails('busy'), fails('busy')),
      scripted(fails('refused'), ['Never.']),
      scripted(fails('gone'), fails('gone'), ['Yes.']),
      scripted(fails('late'), ['Never.']),
    ]
    expect(await said(failover(models, { wait }))).toBe('Yes.')
    expect(models.map(({ asked }) => asked)).toEqual([3, 1, 3, 1])
    expect(waited).toEqual([300, 1_000])
  })

  it.each([
    [100, [300]],
    [1_500, [1_500]],
    [5_000, [5_000]],
  ])('a server that asks for %s ms gets them', async (retryAfterMs, wants) => {
    const { waited, wait } = waits()
    expect(await said(failover([scripted(fails('busy', retryAfterMs), ['Yes.'])], { wait }))).toBe('Yes.')
    expect(waited).toEqual(wants)
  })

  it.each([
    ['at once', [5_100], [] as number[]],
    ['together', [2_000, 2_000, 2_000], [2_000, 2_000]],
  ])('but no more than a caller waits: %s', async (_, pauses, wants) => {
    const { waited, wait } = waits()
    const only = scripted(...pauses.map((ms) => fails('busy', ms)), ['Yes.'])
    await expect(said(failover([only], { wait }))).rejects.toThrow('it is busy')
    expect(waited).toEqual(wants)
  })

  it('of two servers the one is asked that wants to be asked sooner', async () => {
    const { waited, wait } = waits()
    const models = [scripted(fails('busy', 4_000), ['Late.']), scripted(fails('busy', 800), ['Soon.'])]
    expect(await said(failover(models, { wait }))).toBe('Soon.')
    expect(waited).toEqual([800])
  })

  it('the failure of the last one is the failure of all', async () => {
    const models = [scripted(fails('refused')), scripted(fails('late'))]
    await expect(said(failover(models))).rejects.toThrow('it is late')
  })

  it('a model that refused is not asked again in the next turn', async () => {
    const first = scripted(fails('refused'), ['Yes.'])
    const model = failover([first, scripted(['No.'], ['Never.'])])
    expect([await said(model), await said(model)]).toEqual(['No.', 'Never.'])
    expect(first.asked).toBe(1)
  })

  it('unless all of them did', async () => {
    const model = failover([scripted(fails('refused'), ['Yes.']), scripted(fails('refused'), ['No.'])])
    await expect(said(model)).rejects.toThrow('it is refused')
    expect(await said(model)).toBe('Yes.')
  })
})

it('after the first word the failure is left to the consumer, who gets the other model next', async () => {
  const first = scripted(['I am ', ...fails('busy')], ['Never.'])
  const second = scripted(['On.'])
  const model = failover([first, second])
  const failure = await said(model).catch((error) => error)
  expect(failure).toMatchObject({ message: 'it is busy' })
  expect([failure.isFinal, second.asked]).toEqual([undefined, 0])
  expect(await said(model)).toBe('On.')
})

it('an abort during the wait ends without an error', async () => {
  const leaving = new AbortController()
  const only = scripted(fails('busy'), ['Never.'])
  const words = said(failover([only]), leaving.signal)
  await vi.waitUntil(() => only.asked === 1)
  leaving.abort()
  expect(await words).toBe('')
  expect(only.asked).toBe(1)
})
