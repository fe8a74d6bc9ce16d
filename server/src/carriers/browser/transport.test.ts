// Which transport carries the audio.
import { describe, expect, it } from 'vitest'
import { beginTransport, decideTransport, type Transport, type TransportEvent } from './transport.ts'

const begun = beginTransport(0)

function go(from: Transport, ...steps: readonly [TransportEvent, number][]) {
  let at = from
  const acts = steps.map(([event, nowMs]) => {
    const { next, act } = decideTransport(at, event, nowMs)
    at = next
    return act
  })
  return { at, acts }
}

describe('trying', () => {
  it('answers as soon as audio arrives over WebRTC', () => {
    expect(go(begun, ['tick', 400], ['peer-sound', 420])).toEqual({
      at: { is: 'webrtc', heardMs: 420 },
      acts: [undefined, 'answer'],
    })
  })

  it('falls back to the socket when none arrives in time, and not before', () => {
    expect(go(begun, ['tick', 2_499], ['tick', 2_500]).acts).toEqual([undefined, 'use-pcm'])
  })

  it('waits a moment longer once the offer has been answered', () => {
    const { acts } = go(begun, ['peer-ready', 2_000], ['tick', 2_999], ['tick', 3_000])
    expect(acts).toEqual([undefined, undefined, 'use-pcm'])
  })

  it('waits longer still for a browser that can be reached', () => {
    const { acts } = go(begun, ['peer-ready', 500], ['peer-reached', 1_400], ['tick', 2_899], ['tick', 2_900])
    expect(acts).toEqual([undefined, undefined, undefined, 'use-pcm'])
  })

  it.each<TransportEvent>(['pcm-wanted', 'peer-lost', 'pcm-sound'])(
    'falls back to the socket at once on %s',
    (event) => {
      expect(go(begun, [event, 10])).toMatchObject({
        at: { is: 'pcm', answered: false },
        acts: ['use-pcm'],
      })
    },
  )
})

describe('WebRTC', () => {
  const talking: Transport = { is: 'webrtc', heardMs: 1_000 }

  it('may pause for less than two seconds', () => {
    expect(go(talking, ['tick', 2_999], ['peer-sound', 2_999], ['tick', 4_900]).acts).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('falls back to the socket for good when audio stops', () => {
    const { at, acts } = go(talking, ['tick', 3_000], ['peer-sound', 3_100], ['tick', 60_000])
    expect(acts).toEqual(['use-pcm', undefined, undefined])
    expect(at).toMatchObject({ is: 'pcm', answered: true })
  })

  it('falls back at once when our peer is lost', () => {
    expect(go(talking, ['peer-lost', 1_020]).acts).toEqual(['use-pcm'])
  })
})

describe('the socket', () => {
  const asked: Transport = { is: 'pcm', sinceMs: 1_000, answered: false }

  it('answers on its first audio, once', () => {
    expect(go(asked, ['tick', 1_020], ['pcm-sound', 1_040], ['pcm-sound', 1_060]).acts).toEqual([
      undefined,
      'answer',
      undefined,
    ])
  })

  it('is given up when no audio ever arrives', () => {
    expect(go(asked, ['tick', 10_999], ['tick', 11_000]).acts).toEqual([undefined, 'give-up'])
  })
})
