// Which faults cross the boundary of a call, and which do not.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rehearse } from '../../test/props/call/rehearsal.ts'
import { contain } from './contain.ts'

function contained<Port extends object>(port: Port) {
  const faults: unknown[] = []
  return { port: contain(port, (error) => faults.push(error)), faults }
}
const broken = new Error('Broken.')

describe('a contained port', () => {
  it('is called as before, keeps its private fields, and may replace its methods', () => {
    class Counter {
      #count = 0
      get count() {
        return this.#count
      }
      add(by: number): number {
        this.#count += by
        return this.#count
      }
    }
    const counter = new Counter()
    const { port } = contained(counter)
    expect([port.add(2), port.count]).toEqual([2, 2])
    counter.add = () => 7
    expect(port.add(1)).toBe(7)
    expect('add' in port).toBe(true)
  })

  it('may be frozen', () => {
    expect(contained(Object.freeze({ run: () => 'done' })).port.run()).toBe('done')
  })

  it('that throws synchronously throws at its caller, which handles it', () => {
    const { port, faults } = contained({
      write() {
        throw broken
      },
    })
    expect(() => port.write()).toThrow(broken)
    expect(faults).toEqual([])
  })

  it('whose rejection is unhandled reports a fault', async () => {
    const { port, faults } = contained({ write: async () => Promise.reject(broken) })
    void port.write()
    await setImmediate()
    expect(faults).toEqual([broken])
  })

  it('whose rejection the call awaits is left to the call', async () => {
    const { port, faults } = contained({ run: () => Promise.reject(broken) })
    await expect(port.run()).rejects.toThrow(broken)
    expect(faults).toEqual([])
  })

  it('calls back without exceptions reaching it, from a function or a listener', () => {
    const fail = () => {
      throw broken
    }
    const { port, faults } = contained({
      open: (callback: () => void, listener: { onEvent(): void }) => {
        callback()
        listener.onEvent()
        return 'still here'
      },
    })
    expect(port.open(fail, { onEvent: fail })).toBe('still here')
    expect(faults).toEqual([broken, broken])
  })

  it('hands out contained streams without running getters', async () => {
    let looked = 0
    const { port, faults } = contained({
      open: () => ({
        get size() {
          return ++looked
        },
        write: async () => Promise.reject(broken),
      }),
    })
    const stream = port.open()
    expect(looked).toBe(0)
    void stream.write()
    await setImmediate()
    expect(faults).toEqual([broken])
  })

  it('is iterated unchanged', async () => {
    const { port, faults } = contained({
      async *reply() {
        yield 1
        throw broken
      },
    })
    const read = async () => {
      for await (const part of port.reply()) expect(part).toBe(1)
    }
    await expect(read()).rejects.toThrow(broken)
    expect(faults).toEqual([])
  })
})

describe('a model that is asked whether the conversation has ended', () => {
  it.each<[string, () => boolean]>([
    [
      'throws',
      () => {
        throw broken
      },
    ],
    ['rejects', () => Promise.reject(broken) as never],
  ])('and %s ends no other call', async (how, isOver) => {
    const scene = { task: { hangup_after_LLMCall: true }, replies: ['You are welcome.'] }
    const call = rehearse(scene)
    Object.assign(call.model, { isOver })
    await call.answer()
    await call.says('thank you bye')
    await call.until(() => call.hears('You are welcome.'))
    await call.run(2_000)
    // A promise where none is allowed is a fault of this call; a throw only means that the model cannot tell.
    if (how === 'throws') expect(call.isOver).toBe(false)
    else expect(call.outcome).toMatchObject({ status: 'failed', errorMessage: 'Broken.' })
  })
})
