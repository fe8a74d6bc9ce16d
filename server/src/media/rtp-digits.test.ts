// Keys as RTP events, with the packets that real senders and networks leave of them.
import { describe, expect, it } from 'vitest'
import { DigitReceiver, DigitSender, digitOfInfo, writeEvent } from './rtp-digits.ts'

interface SentEvent {
  readonly event: number
  readonly duration: number
  readonly isEnd?: boolean
  readonly sequence: number
  readonly timestamp: number
}

function received(packets: readonly SentEvent[]): string {
  let digits = ''
  const receiver = new DigitReceiver((digit) => {
    digits += digit
  })
  for (const { event, duration, isEnd = false, sequence, timestamp } of packets) {
    const payload = Uint8Array.of(0xaa, event, isEnd ? 0x8a : 10, duration >> 8, duration & 0xff)
    receiver.receive(payload, 1, 5, sequence & 0xffff, timestamp >>> 0)
  }
  return digits
}

/** A press as it should be: growing durations, three ends. */
const press = (event: number, sequence: number, timestamp: number): SentEvent[] =>
  [160, 320, 480, 640, 640, 640].map((duration, i) => ({
    event,
    duration,
    timestamp,
    sequence: sequence + i,
    isEnd: i > 2,
  }))

describe('a key that was pressed', () => {
  it('counts once, and so does the same key pressed again', () => {
    expect(received([...press(5, 10, 8_000), ...press(5, 20, 12_000), ...press(11, 30, 16_000)])).toBe('55#')
  })

  it('counts if any one of its packets arrives', () => {
    for (let only = 0; only < 6; only++)
      expect(received(press(1, 65_533, 4_294_967_000).slice(only, only + 1))).toBe('1')
  })

  it('counts again even if all ends of the first press were lost', () => {
    expect(received([...press(5, 10, 8_000).slice(0, 3), ...press(5, 20, 9_600)])).toBe('55')
  })

  it('counts once when its packets overtake each other or the next key', () => {
    const [first, second] = [press(1, 10, 8_000), press(2, 20, 12_000)]
    expect(
      received([first[2], first[0], first[1], first[5], second[0], first[3], second[3]] as SentEvent[]),
    ).toBe('12')
  })

  it('counts once if it is held for longer than a duration can say', () => {
    const long = [16_000, 40_000, 65_535].map((duration, i) => ({
      event: 7,
      duration,
      sequence: i,
      timestamp: 100,
    }))
    const next = [160, 4_000].map((duration, i) => ({
      event: 7,
      duration,
      sequence: 5 + i,
      timestamp: 100 + 65_535,
    }))
    expect(received([...long, ...next])).toBe('7')
  })

  it('counts once if the sender moves its timestamp on', () => {
    const moved = [160, 320, 480, 640].map((duration, i) => ({
      event: 3,
      duration,
      sequence: i,
      timestamp: 1_000 + i * 160,
      isEnd: i === 3,
    }))
    expect(received([...moved, ...press(3, 20, 5_000)])).toBe('33')
  })

  it('counts after the clock and the numbers of the sender began anew', () => {
    expect(received([...press(1, 40_000, 3_000_000_000), ...press(2, 5, 160), ...press(3, 40, 5_000)])).toBe(
      '123',
    )
  })

  it('is none of the other events, and no broken packet', () => {
    expect(received(press(16, 1, 1))).toBe('')
    let digits = ''
    new DigitReceiver((digit) => {
      digits += digit
    }).receive(Uint8Array.of(1, 2, 3), 0, 3, 1, 1)
    expect(digits).toBe('')
  })
})

describe('keys that are sent', () => {
  it('are received as they were sent', async () => {
    const sender = new DigitSender()
    const done = sender.send('0123456789*#ABCD')
    const packets: SentEvent[] = []
    for (let frame = 0, start = 0; sender.isSending; frame++)
      for (const packet of sender.next()) {
        if (packet.isFirst) start = frame * 160
        const bytes = new Uint8Array(4)
        writeEvent(bytes, 0, packet, 160)
        packets.push({
          event: bytes[0] as number,
          duration: ((bytes[2] as number) << 8) | (bytes[3] as number),
          isEnd: packet.isEnd,
          sequence: packets.length,
          timestamp: start,
        })
      }
    await done
    expect(received(packets)).toBe('0123456789*#ABCD')
  })

  it('must be keys', () => {
    expect(() => new DigitSender().send('1e')).toThrow(RangeError)
    expect(() => new DigitSender().send('')).toThrow(RangeError)
  })
})

describe('INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160', '5'],
    ['application/dtmf-relay; charset=utf-8', 'Duration = 160\r\nSignal = #\r\n', '#'],
    ['application/dtmf-relay', 'Signal=10', '*'],
    ['application/dtmf', ' a\r\n', 'A'],
    ['application/dtmf', '11', '#'],
    ['application/dtmf', 'hello', null],
    ['application/media_control+xml', '5', null],
  ])('%s with %j is %s', (type, body, digit) => {
    expect(digitOfInfo(type, body)).toBe(digit)
  })
})
