// Azure OpenAI: a resource of one's own, the deployment in the path: https://<resource>.openai.azure.com. Its newer
// interface, `/openai/v1`, takes the deployment as the model and needs no version.
import { chatCompletions, compatibleServer } from '../over/thinks/chat-completions/protocol.ts'

// The newest version that is not a preview.
const usualVersion = '2024-10-21'

export const thinks = compatibleServer('azure', {
  // Azure Speech is another service, with other keys.
  label: 'Azure OpenAI',
  baseUrl: undefined,
  needsKey: true,
  hosts: /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/,
  protocol: chatCompletions(
    {},
    {
      url({ baseUrl, apiVersion }, model) {
        const url = new URL(baseUrl)
        const path = url.pathname.replace(/(\/chat\/completions)?(?<!\/)\/*$/, '')
        const isDeployment = /\/openai\/deployments\/[^/]+$/.test(path)
        const isNewer = /\/openai\/v1$/.test(path)
        url.pathname =
          isDeployment || isNewer
            ? `${path}/chat/completions`
            : `${path.replace(/\/openai$/, '')}/openai/deployments/${encodeURIComponent(model)}/chat/completions`
        const version = apiVersion ?? url.searchParams.get('api-version') ?? (isNewer ? null : usualVersion)
        if (version) url.searchParams.set('api-version', version)
        return url
      },
      headers: (apiKey) => ({ 'api-key': apiKey }),
    },
  ),
})
