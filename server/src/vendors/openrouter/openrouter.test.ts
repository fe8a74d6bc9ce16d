// What OpenRouter's models get of an agent's options.
import { modelSuite, openWeightNames } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({
  vendor: thinks,
  model: 'meta-llama/llama-3.3-70b-instruct',
  options: { ...openWeightNames, reasoning_effort: undefined, reasoning: { effort: 'low' } },
  missing: [],
})
