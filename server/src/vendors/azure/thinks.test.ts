// What the models of Azure OpenAI get of an agent's options.
import { modelRequests, modelSuite, openAiNames } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({ vendor: thinks, model: 'desk', options: openAiNames, missing: ['top_k', 'min_p'] })

modelRequests(
  thinks,
  [
    [
      'https://x.openai.azure.com/',
      undefined,
      'my desk',
      'https://x.openai.azure.com/openai/deployments/my%20desk/chat/completions?api-version=2024-10-21',
    ],
    [
      'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01',
      undefined,
      'm',
      'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01',
    ],
    [
      'https://x.openai.azure.com/openai',
      '2025-01-01-preview',
      'd',
      'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01-preview',
    ],
    [
      'https://x.openai.azure.com/openai/v1/',
      undefined,
      'm',
      'https://x.openai.azure.com/openai/v1/chat/completions',
    ],
  ],
  { 'api-key': 'k' },
)
