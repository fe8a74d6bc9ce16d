// What gets past the edge of a call, and what does not.
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
  it('is called as before, with its private fields, and may change its methods', () => {
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

  it('that throws throws at its caller, who knows what to do', () => {
    const { port, faults } = contained({
      write() {
        throw broken
      },
    })
    expect(() => port.write()).toThrow(broken)
    expect(faults).toEqual([])
  })

  it('that rejects where nobody waits is a fault', async () => {
    const { port, faults } = contained({ write: async () => Promise.reject(broken) })
    void port.write()
    await setImmediate()
    expect(faults).toEqual([broken])
  })

  it('that rejects where the call waits is left to the call', async () => {
    const { port, faults } = contained({ run: () => Promise.reject(broken) })
    await expect(port.run()).rejects.toThrow(broken)
    expect(faults).toEqual([])
  })

  it('calls back without being thrown at, by a function or by a listener', () => {
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

  it('hands out contained streams, and runs no getter to find out', async () => {
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

  it('is iterated as it is', async () => {
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

describe('a model that is asked whether the conversation is over', () => {
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
    // What it must not return is a fault of this call; that it does not know is none.
    if (how === 'throws') expect(call.isOver).toBe(false)
    else expect(call.outcome).toMatchObject({ status: 'failed', errorMessage: 'Broken.' })
  })
})
