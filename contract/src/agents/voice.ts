// The voices that agents can speak with, and their samples.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { operation } from '../operation.ts'
import { listOf, Text, Timestamp } from '../words.ts'

export const Voice = z
  .strictObject({
    name: Text.meta({ description: 'What an agent names in synthesizer.provider_config.voice.' }),
    language: Text.meta({ description: 'What it speaks, as in en.' }),
    gender: z.enum(['female', 'male']).meta({ description: 'How the voice sounds.' }),
    engine: Text.meta({ description: 'The offline engine that speaks with it.' }),
    is_default: z.boolean().meta({ description: 'An agent that names no voice gets this one.' }),
    sample: z
      .strictObject({
        url: Text.meta({ description: 'Plays a WAV file; needs no API key.' }),
        expiry: Timestamp.meta({
          description: 'From then on the address is not valid; list the voices again.',
        }),
      })
      .meta({ description: 'A sentence in this voice.' }),
  })
  .meta({ id: 'Voice', description: 'A voice that agents can speak with.' })
export type Voice = z.infer<typeof Voice>

export const listVoices = operation({
  ...voiceAddresses.listVoices,
  tag: 'Voices',
  summary: 'List the voices',
  description:
    'The voices that can be spoken with here without an account at a vendor, the default first. Each has the signed address of a sample.',
  data: listOf(Voice).describe('The voices, the default first.'),
  example: {
    data: [
      {
        name: 'heart',
        language: 'en',
        gender: 'female',
        engine: 'wren',
        is_default: true,
        sample: {
          url: 'https://parley.example.com/voices/heart/sample.wav?expires=1780000000&signature=…',
          expiry: '2026-05-28T20:26:40.000Z',
        },
      },
    ],
  },
})
