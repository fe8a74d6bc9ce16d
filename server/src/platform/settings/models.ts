// Who thinks, and what finds passages.
import { llmProviders } from '@parley/contract/companies'
import { z } from 'zod'
import { free, inCode, set, vendorKey, whole, wordList } from './kinds.ts'

const named = llmProviders.filter((name) => name !== 'custom')

export const modelSettings = {
  PARLEY_LLM_PROVIDER: free(
    z.enum(llmProviders, `one of ${llmProviders.join(', ')}`),
    `Who serves the language model of all agents that name none of their own: ${inCode(named)}, or \`custom\` for any other server with OpenAI’s chat completions. Unset: as the host of \`PARLEY_LLM_BASE_URL\` tells. Both unset: the built-in dialogue policy answers.`,
  ),
  PARLEY_LLM_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where that server is, as in `http://localhost:11434/v1`. Unset: the provider’s own address; `azure` and `custom` have none.',
  ),
  PARLEY_LLM_MODEL: set(
    wordList(),
    '',
    'The model that is asked there when an agent names none; of `azure`, the deployment. Further ones, comma-separated, are asked when it fails.',
  ),
  PARLEY_LLM_API_KEY: free(
    vendorKey(),
    'The key for that server. It is sent to no other. Unset: the one below of its provider.',
  ),
  PARLEY_EMBEDDINGS_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'A server that speaks OpenAI’s embeddings, as in `http://localhost:11434/v1`, for the knowledge base. Unset: the built-in embedder, which knows English best. With another embedder all documents are indexed again.',
  ),
  PARLEY_EMBEDDINGS_MODEL: free(
    z.string(),
    'The model that is asked there, such as `nomic-embed-text`. Required with `PARLEY_EMBEDDINGS_BASE_URL`.',
  ),
  PARLEY_EMBEDDINGS_API_KEY: free(
    vendorKey(),
    'The key for that server. It is sent to no other. A workspace that has stored credentials of OpenAI uses its own instead, if they are for that server.',
  ),
  PARLEY_KNOWLEDGE_SEARCH: set(
    z.enum(['auto', 'memory', 'pgvector'], 'auto, memory or pgvector'),
    'auto',
    'Where the vectors of the knowledge base are searched. `auto`: in the database if it has pgvector 0.8 or newer, or lets us create it, otherwise in memory. `memory`: always there. `pgvector`: as `auto`, but a worker does not start without it.',
  ),
  PARLEY_KNOWLEDGE_MEMORY_MB: set(
    whole(1, 1_000_000),
    '512',
    'How much memory the words and vectors of the knowledge base may take in a process: about 50 MB for 100,000 passages. Repositories are loaded when they are asked and leave when they are idle (`PARLEY_ENGINE_IDLE_MINUTES`) or others need the room.',
  ),
  PARLEY_LLM_API_VERSION: free(
    z.string().regex(/^[\w.-]+$/, 'a version, as in 2024-10-21'),
    'The version of the interface of `azure`. Unset: `2024-10-21`.',
  ),
}
