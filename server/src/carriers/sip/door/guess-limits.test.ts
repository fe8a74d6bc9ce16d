// How long guessers are not listened to, and who is heard nevertheless.
import { beforeEach, describe, expect, it } from 'vitest'
import { GuessLimits } from './guess-limits.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

let nowMs: number
let limits: GuessLimits
beforeEach(() => {
  nowMs = 5_000
  limits = new GuessLimits(() => nowMs)
})

/** Guesses until it is not listened to; returns for how many minutes. */
function guess(network: string, user = 'root'): number {
  for (let nth = 0; nth < 20; nth++) {
    const penaltyMs = limits.wrong(network, user)
    if (penaltyMs > 0) return penaltyMs / minuteMs
  }
  throw new Error('Nothing happened.')
}

describe('a network that guesses', () => {
  it('is not listened to for twice as long each time, and never longer than a day', () => {
    const minutes = Array.from({ length: 14 }, () => {
      const penalty = guess('203.0.113.9')
      expect(limits.mayTry('203.0.113.9', null)).toBe(false)
      nowMs += penalty * minuteMs
      expect(limits.mayTry('203.0.113.9', null)).toBe(true)
      return penalty
    })
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440, 1_440])
  })

  it('is forgiven after a quiet week, and not before', () => {
    guess('203.0.113.9')
    nowMs += 6 * dayMs
    expect(guess('203.0.113.9')).toBe(2)
    nowMs += 7 * dayMs + 3 * minuteMs
    expect(guess('203.0.113.9')).toBe(1)
  })

  it('silences no other', () => {
    guess('203.0.113.9')
    expect(limits.mayTry('203.0.113.10', null)).toBe(true)
  })

  it('is one that tries an old password every half a minute, and is answered each time', () => {
    for (let nth = 0; nth < 500; nth++) {
      expect(limits.mayTry('203.0.113.9', 'reception')).toBe(true)
      expect(limits.wrong('203.0.113.9', 'reception')).toBe(0)
      nowMs += 30_000
    }
  })

  it('cannot fill the memory, and the last ones are remembered', () => {
    for (let nth = 0; nth < 10_050; nth++) guess(`2001:db8:0:${nth.toString(16)}`)
    expect(limits.mayTry('2001:db8:0:2741', null)).toBe(false)
    expect(limits.mayTry('2001:db8:0:0', null)).toBe(true)
  })
})

describe('a user who has logged in from a network that guesses', () => {
  it('is asked for the password and heard; others of that network are not', () => {
    limits.right('203.0.113.9', 'Reception')
    guess('203.0.113.9')
    expect(limits.mayTry('203.0.113.9', null)).toBe(true)
    expect(limits.mayTry('203.0.113.9', 'reception')).toBe(true)
    expect(limits.mayTry('203.0.113.9', 'root')).toBe(false)
  })

  it('is known there for a week', () => {
    limits.right('203.0.113.9', 'reception')
    nowMs += 8 * dayMs
    guess('203.0.113.9')
    expect(limits.mayTry('203.0.113.9', 'reception')).toBe(false)
  })

  it('is not heard for a while when it is the one whose password is guessed, and its neighbours are', () => {
    limits.right('203.0.113.9', 'reception')
    limits.right('203.0.113.9', 'kitchen')
    expect(guess('203.0.113.9', 'reception')).toBe(1)
    expect(limits.mayTry('203.0.113.9', 'reception')).toBe(false)
    expect(limits.mayTry('203.0.113.9', 'kitchen')).toBe(true)
    expect(limits.mayTry('203.0.113.9', 'root')).toBe(true)
  })
})
