// OpenAI's chat completions, as OpenAI itself and many other servers speak them.
import { createHash } from 'node:crypto'
import { type ModelProtocol, withoutNamed } from '../protocol.ts'
import { answerReader } from './read-answer.ts'
import { type Dialect, requestBody } from './request-body.ts'

const protocol = (dialect: Dialect, more: Partial<ModelProtocol> = {}): ModelProtocol => ({
  url: ({ baseUrl }) => completionsUrl(baseUrl),
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: (model, options, request) => requestBody(model, options, request, dialect),
  openReader: answerReader,
  without(options, refusal) {
    const left = withoutNamed(options, refusal)
    const { max_tokens } = options
    // OpenAI's newer models take the same limit under another name.
    return left && max_tokens !== undefined && !('max_tokens' in left)
      ? { ...left, max_completion_tokens: max_tokens }
      : left
  },
  ...more,
})

export const openAiProtocol = protocol({})

/** Hands the conversation on to models of vendors that want the last word to be the caller's. */
export const routerProtocol = protocol({ endsWithUser: true })

/** Ids of tool calls have nine letters and digits. */
export const mistralProtocol = protocol({
  endsWithUser: true,
  toolId: (id) =>
    /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9),
})

// The newest that is not a preview.
const azureApiVersion = '2024-10-21'

/**
 * At a resource of one's own, the deployment in the path: https://<resource>.openai.azure.com. Its newer interface,
 * `/openai/v1`, takes the deployment as the model and needs no version.
 */
export const azureProtocol = protocol(
  {},
  {
    url({ baseUrl, apiVersion }, model) {
      const url = new URL(baseUrl)
      const path = url.pathname.replace(/(\/chat\/completions)?\/*$/, '')
      const isDeployment = /\/openai\/deployments\/[^/]+$/.test(path)
      const isNewer = /\/openai\/v1$/.test(path)
      url.pathname =
        isDeployment || isNewer
          ? `${path}/chat/completions`
          : `${path.replace(/\/openai$/, '')}/openai/deployments/${encodeURIComponent(model)}/chat/completions`
      const version = apiVersion ?? url.searchParams.get('api-version') ?? (isNewer ? null : azureApiVersion)
      if (version) url.searchParams.set('api-version', version)
      return url
    },
    headers: (apiKey) => ({ 'api-key': apiKey }),
  },
)

function completionsUrl(baseUrl: string): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/(\/chat\/completions)?\/*$/, '')}/chat/completions`
  return url
}
