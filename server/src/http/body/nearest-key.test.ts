import { AgentPatch, NewBatch } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nearestKey } from './nearest-key.ts'

describe('the nearest key', () => {
  it.each([
    ['one letter missing', ['synthesizer'], 'bufer_size', 'buffer_size'],
    ['two letters swapped', ['transcriber'], 'endpoitning', 'endpointing'],
    ['camel case', ['transcriber'], 'samplingRate', 'sampling_rate'],
    ['another separator', ['synthesizer'], 'audio-format', 'audio_format'],
    ['a short key', ['input'], 'formt', 'format'],
    ['the outermost object', [], 'agent_promt', 'agent_prompt'],
  ])('is found for %s', (_what, path, key, nearest) => {
    expect(nearestKey(AgentPatch, path, key)).toBe(nearest)
  })

  it('is found within lists', () => {
    expect(nearestKey(NewBatch, ['recipients', 3], 'time_zone')).toBe('timezone')
  })

  it('is found in every object that a union allows', () => {
    const either = z.union([z.strictObject({ label: z.string() }), z.strictObject({ access: z.string() })])
    expect(nearestKey(either, [], 'acess')).toBe('access')
    expect(nearestKey(either, [], 'lable')).toBe('label')
  })

  it.each(['zzz', 'x', '', '__proto__', 'buffer_size'.repeat(1_000)])('does not exist for %.20s', (key) => {
    expect(nearestKey(AgentPatch, ['synthesizer'], key)).toBeUndefined()
  })
})
