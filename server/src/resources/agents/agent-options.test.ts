// What is said about the options of vendors' own when an agent is saved.
import { expect, it } from 'vitest'
import { judgeOptions as judge } from '../../speech/agent-options.ts'
import { type OptionFields, optionWarnings } from './agent-options.ts'

const judgeOptions = (config: OptionFields) => optionWarnings(config, judge)

it('every value that would not be sent is named with its place and its mend', () => {
  expect(
    judgeOptions({
      synthesizer: { provider: 'cartesia', provider_config: { emotionn: 'calm', volume: 9 } },
      transcriber: { provider: 'deepgram', model: 'flux-general-en' },
      api_tools: {
        transcriber: { provider_config: { mip_opt_outt: true, smart_format: true, mip_opt_out: true } },
        fallbacks: {
          synthesizer: [{ provider: 'rime', provider_config: { output_format: 'mp3' } }],
          transcriber: [{ provider: 'soniox', provider_config: { endpoint_sensitivity: 3 } }],
        },
      },
    }),
  ).toEqual([
    {
      path: 'agent_config.synthesizer.provider_config.emotionn',
      message: 'Cartesia has no setting "emotionn". Did you mean "emotion"?',
    },
    {
      path: 'agent_config.synthesizer.provider_config.volume',
      message: '"generation_config.volume" of Cartesia must be a number from 0.5 to 2; it is not sent.',
    },
    {
      path: 'agent_config.api_tools.transcriber.provider_config.mip_opt_outt',
      message: 'Deepgram has no setting "mip_opt_outt". Did you mean "mip_opt_out"?',
    },
    {
      path: 'agent_config.api_tools.transcriber.provider_config.smart_format',
      message:
        'Deepgram does not take "smart_format" with the model or the voice of this agent; it is not sent.',
    },
    {
      path: 'agent_config.api_tools.fallbacks.synthesizer.0.provider_config.output_format',
      message: 'Rime has no setting "output_format". It is not sent.',
    },
    {
      path: 'agent_config.api_tools.fallbacks.transcriber.0.provider_config.endpoint_sensitivity',
      message: '"endpoint_sensitivity" of Soniox must be a number from -1 to 1; it is not sent.',
    },
  ])
})

it('the model and the voice in a provider_config count', () => {
  const rime = (provider_config: object) =>
    judgeOptions({ synthesizer: { provider: 'rime', provider_config } }).length
  expect(rime({ top_p: 0.2 })).toBe(0)
  expect(rime({ top_p: 0.2, model: 'mistv2' })).toBe(1)
})

it.each([
  ['nothing', {}],
  ['strings', { synthesizer: 'x', transcriber: 'y', api_tools: '{"transcriber":{}}' }],
  ['lists', { synthesizer: [], api_tools: { transcriber: [], fallbacks: { synthesizer: 'no' } } }],
  ['a vendor with the name of what every object has', { synthesizer: { provider: 'constructor' } }],
  ['a vendor that was known once', { synthesizer: { provider: 'acme', provider_config: { emotion: 1 } } }],
])('nothing is said of %s', (_, config) => {
  expect(judgeOptions(config)).toEqual([])
})

it('an agent without a vendor is told that the offline engines have no such options', () => {
  const config = {
    synthesizer: { provider_config: { voice: 'heart', emotion: 'calm' } },
    api_tools: { transcriber: { provider_config: { mip_opt_out: true } } },
  }
  expect(judgeOptions(config).map(({ message }) => message)).toEqual([
    'The offline voice has no setting "emotion". It is not sent.',
    'The offline recognizer has no setting "mip_opt_out". It is not sent.',
  ])
})
