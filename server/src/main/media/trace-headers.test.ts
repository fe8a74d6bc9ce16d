// W3C Trace Context beyond plain requests: MCP servers and models that hear and speak themselves learn the trace of
// the call.
import { afterEach, expect, it } from 'vitest'
import { openScriptedRuntime, planWith } from '../../../test/props/call/scripted-runtime.ts'
import { openOrderServer } from '../../../test/props/servers/mcp-server.ts'
import { openGeminiLive } from '../../../test/props/vendors/gemini-live.ts'
import { openRealtimeServer } from '../../../test/props/vendors/openai-realtime.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import { assembleCall } from './assemble-call.ts'

const sessionId = '0199a0b1-c2d3-7e4f-8a5b-6c7d8e9f0a1b'
const ofTheCall = /^00-0199a0b1c2d37e4f8a5b6c7d8e9f0a1b-[0-9a-f]{16}-01$/

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function assembled(
  plan: CallPlan,
  env: Record<string, string> = { PARLEY_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
) {
  const { runtime, close } = openScriptedRuntime(env)
  const parts = assembleCall({
    plan: { ...plan, sessionId },
    runtime,
    onUpdate() {},
    connect: () => expect.fail('nobody is called'),
  })
  cleanups.push(close, () => parts.release?.())
  return parts
}

const mcpPlan = (url: string, headers: Record<string, string> = {}): CallPlan => ({
  ...planWith({}, {}),
  mcpServers: [
    {
      name: 'orders',
      description: '',
      url,
      headers,
      toolNames: null,
      timeoutMs: 10_000,
      waitingWords: undefined,
      answer: { save: {}, secrets: [] },
    },
  ],
})

async function askedOf(headers: Record<string, string>, env?: Record<string, string>) {
  const server = await openOrderServer()
  cleanups.push(() => server.close())
  const { tools } = assembled(mcpPlan(server.url, headers), env)
  await expect.poll(() => tools.descriptions.length).toBeGreaterThan(0)
  return server.seen.map((request) => request.headers.traceparent)
}

it('every request to an MCP server names the trace of the call', async () => {
  const named = await askedOf({})
  expect(named.length).toBeGreaterThan(1)
  for (const traceparent of named) expect(traceparent).toMatch(ofTheCall)
  expect(new Set(await askedOf({ traceparent: 'its own' }))).toEqual(new Set(['its own']))
  expect(new Set(await askedOf({}, {}))).toEqual(new Set([undefined]))
})

it.each([
  ['openai', 'gpt-realtime', '/v1', openRealtimeServer],
  ['gemini', 'gemini-live-2.5-flash', '/v1beta', openGeminiLive],
] as const)('a session with %s names the trace of the call', async (provider, model, path, openServer) => {
  const server = await openServer('good')
  cleanups.push(() => server.close())
  const llm_config = { provider, model, api_key: 'good', base_url: `${server.baseUrl}${path}` }
  const { transcriber } = assembled(planWith({ llm_agent: { llm_config } }, {}))
  await transcriber.warm?.({ model, rateHz: 8_000, endpointingMs: 500 }, new AbortController().signal)
  await expect.poll(() => server.asked[0]?.headers.traceparent).toMatch(ofTheCall)
})
