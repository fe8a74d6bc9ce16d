// The order in which models are asked, with models that fail on request.
import { describe, expect, it } from 'vitest'
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

describe('before the first word', () => {
  it('a busy model is asked once more', async () => {
    const first = scripted(fails('busy'), ['Yes.'])
    const second = scripted(['No.'])
    expect(await said(failover([first, second], { retryMs: 1 }))).toBe('Yes.')
    expect([first.asked, second.asked]).toEqual([2, 0])
  })

  it('and then the next one, with the reason reported', async () => {
    const heard: string[] = []
    const models = [scripted(fails('busy'), fails('busy')), scripted(['No.'])]
    expect(await said(failover(models, { retryMs: 1, onFailure: (why) => heard.push(why) }))).toBe('No.')
    expect(heard).toEqual(['it is busy'])
  })

  it.each<ModelErrorKind>(['refused', 'late', 'gone', 'garbled'])(
    'a model that is %s is not asked again',
    async (kind) => {
      const first = scripted(fails(kind), ['Yes.'])
      expect(await said(failover([first, scripted(['No.'])]))).toBe('No.')
      expect(first.asked).toBe(1)
    },
  )

  it.each([
    [1, 'Yes.'],
    [30_000, 'No.'],
  ])('a server that asks for %s ms gets them only if they are few', async (retryAfterMs, words) => {
    const first = scripted(fails('busy', retryAfterMs), ['Yes.'])
    expect(await said(failover([first, scripted(['No.'])]))).toBe(words)
  })

  it('the failure of the last one is the failure of all', async () => {
    const models = [scripted(fails('gone')), scripted(fails('late'))]
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

it('after the first word the failure is left to the consumer', async () => {
  const second = scripted(['No.'])
  const model = failover([scripted(['I am ', ...fails('busy')]), second])
  await expect(said(model)).rejects.toThrow('it is busy')
  expect(second.asked).toBe(0)
})

it('an abort during the wait ends without an error', async () => {
  const leaving = new AbortController()
  const second = scripted(['No.'])
  const first = scripted(fails('busy'))
  const words = said(failover([first, second], { retryMs: 1_000 }), leaving.signal)
  leaving.abort()
  expect(await words).toBe('')
  expect(second.asked).toBe(0)
})
