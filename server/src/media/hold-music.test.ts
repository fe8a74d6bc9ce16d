// Music for whoever waits: it loops, stays below a voice, and neither begins nor ends with a click.
import { describe, expect, it } from 'vitest'
import { HoldMusicPlayer, holdMusic } from './hold-music.ts'
import { levelDb } from './level.ts'

const frames = (player: HoldMusicPlayer, count: number, isPlaying = true): Int16Array => {
  const all = new Int16Array(count * 160)
  for (let n = 0; n < count; n++) player.addTo(all.subarray(n * 160, (n + 1) * 160), isPlaying)
  return all
}
const largestStep = (samples: Int16Array): number =>
  samples.reduce((most, sample, n) => Math.max(most, Math.abs(sample - (samples[n - 1] ?? 0))), 0)

describe('hold music', () => {
  it('is rendered once for a rate', () => expect(holdMusic(8_000)).toBe(holdMusic(8_000)))

  it('is below a voice, and goes on without end', () => {
    const player = new HoldMusicPlayer(8_000)
    const minute = frames(player, 3_000)
    expect(levelDb(minute)).toBeLessThan(-28)
    expect(levelDb(minute.subarray(-16_000))).toBeGreaterThan(-45)
  })

  it('fades in and out, and is silent then', () => {
    const player = new HoldMusicPlayer(8_000)
    const music = holdMusic(8_000).map((sample) => sample / 4)
    const all = Int16Array.from([...frames(player, 60), ...frames(player, 3, false)])
    expect(largestStep(all)).toBeLessThanOrEqual(largestStep(music) + 10)
    expect(all.subarray(-160).every((sample) => sample === 0)).toBe(true)
    expect(frames(player, 1, false).every((sample) => sample === 0)).toBe(true)
  })

  it('is added to what is there', () => {
    const voice = new Int16Array(160).fill(32_700)
    new HoldMusicPlayer(8_000).addTo(voice, true)
    expect(Math.max(...voice)).toBeLessThanOrEqual(32_767)
    expect(Math.min(...voice)).toBeGreaterThan(25_000)
  })
})
