// Secrets in an agent's configuration: which values are hidden, what a masked value means, and when a secret is
// dropped.
import { describe, expect, it } from 'vitest'
import { openVault } from '../../platform/secrets.ts'
import { hideSecrets, keyOpener, type SealedAgent } from './agent-secrets.ts'

const vault = openVault('a secret for tests, long enough')
const agentId = '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55'
const workspaceId = '7d0b1c94-5d57-4a1e-8b5c-2f6f6f0f9a11'
const hide = (config: object, before: SealedAgent | null = null) =>
  hideSecrets(vault, { workspaceId, id: agentId }, config, before)
const used = (hidden: SealedAgent) => keyOpener(vault)(agentId, hidden.config, hidden.sealed)

const key = 'sk-live-0123456789abcdef'
const other = 'sk-test-fedcba9876543210'
const model = (llm_config: object) => ({ llm_agent: { llm_config } })
const tool = (params: object, value?: object) => ({
  api_tools: {
    tools: [{ name: 'book', key: 'custom_task', ...(value && { value }) }],
    tools_params: { book: params },
  },
})
const a = 'https://a.example'
const b = 'https://b.example'

describe('a model API key', () => {
  it.each([
    ['another path at the same host', { base_url: `${a}/v2/`, api_key: 'sk-…cdef' }],
    ['the same port, written out', { base_url: 'https://A.example:443/v1', api_key: 'sk-…cdef' }],
  ])('is kept for %s', (_, change) => {
    const before = hide(model({ base_url: `${a}/v1`, api_key: key }))
    const after = hide(model(change), before)
    expect(used(after)).toEqual(model({ ...change, api_key: key }))
    expect(after.warnings).toEqual([])
  })

  it.each([
    ['another host', b],
    ['another port', `${a}:8443`],
    ['another scheme', 'http://a.example'],
    ['the default server', undefined],
    ['no address at all', 'not an address'],
  ])('is dropped, with a warning, for %s', (_, base_url) => {
    const before = hide(model({ base_url: `${a}/v1`, api_key: key }))
    const after = hide(model({ base_url, api_key: 'sk-…cdef' }), before)
    expect(used(after)).toEqual(model({ base_url }))
    expect(after.sealed).toBeNull()
    expect(after.warnings).toEqual([
      {
        path: 'agent_config.llm_agent.llm_config.api_key',
        message: `Removed: it was given for ${a} and would be sent to ${nameOf(base_url)}. Write it again.`,
      },
    ])
  })

  it('given for the default server is not sent to a base_url that is set later', () => {
    const after = hide(model({ base_url: b, api_key: 'sk-…cdef' }), hide(model({ api_key: key })))
    expect(used(after)).toEqual(model({ base_url: b }))
    expect(after.warnings[0]?.message).toContain('it was given for the default server')
  })

  it('given for a provider is not sent to another provider', () => {
    const before = hide(model({ provider: 'openai', api_key: key }))
    const after = hide(model({ provider: 'anthropic', api_key: 'sk-…cdef' }), before)
    expect(used(after)).toEqual(model({ provider: 'anthropic' }))
    expect(after.warnings[0]?.message).toContain('it was given for openai and would be sent to anthropic')
    const same = hide(model({ provider: 'OpenAI', model: 'other', api_key: 'sk-…cdef' }), before)
    expect(used(same)).toEqual(model({ provider: 'OpenAI', model: 'other', api_key: key }))
  })

  it('given together with a new base_url is stored', () => {
    const after = hide(model({ base_url: b, api_key: other }), hide(model({ base_url: a, api_key: key })))
    expect(used(after)).toEqual(model({ base_url: b, api_key: other }))
    expect(after.warnings).toEqual([])
  })

  it('of a fallback without a base_url depends on the enclosing base_url', () => {
    const fallback = [{ model: 'n', api_key: 'sk-…3210' }]
    const before = hide(model({ base_url: a, fallback: [{ model: 'n', api_key: other }] }))
    expect(used(hide(model({ base_url: a, fallback }), before))).toMatchObject(
      model({ fallback: [{ api_key: other }] }),
    )
    const moved = hide(model({ base_url: b, fallback }), before)
    expect(used(moved)).toEqual(model({ base_url: b, fallback: [{ model: 'n' }] }))
    expect(moved.warnings[0]?.path).toBe('agent_config.llm_agent.llm_config.fallback.0.api_key')
  })

  it('of a fallback with its own base_url is dropped only when that base_url changes', () => {
    const before = hide(
      model({ base_url: a, api_key: key, fallback: [{ base_url: b, model: 'n', api_key: other }] }),
    )
    const fallback = [{ base_url: a, model: 'n', api_key: 'sk-…3210' }]
    expect(used(hide(model({ base_url: a, api_key: 'sk-…cdef', fallback }), before))).toEqual(
      model({ base_url: a, api_key: key, fallback: [{ base_url: a, model: 'n' }] }),
    )
  })

  it('that is short is matched by path, not by mask', () => {
    const short = (first: string, second: string) =>
      model({ base_url: a, api_key: first, fallback: [{ base_url: b, model: 'n', api_key: second }] })
    const before = hide(short('tiny-a', 'tiny-b'))
    expect(before.config).toEqual(short('…', '…'))
    expect(used(hide(short('…', '…'), before))).toEqual(short('tiny-a', 'tiny-b'))
  })

  it('that is short is not restored at another path with the same mask', () => {
    const before = hide(model({ api_key: 'tiny-a' }))
    const after = hide(model({ api_key: '…', fallback: [{ model: 'n', api_key: '…' }] }), before)
    expect(used(after)).toEqual(model({ api_key: 'tiny-a', fallback: [{ model: 'n' }] }))
    expect(after.warnings.map(({ message }) => message)).toEqual([
      'Removed: no secret is stored here. Write it out.',
    ])
  })

  it('that is long moves with its list entry', () => {
    const entry = (name: string, api_key: string) => ({
      base_url: `https://${name}.example`,
      model: 'n',
      api_key,
    })
    const before = hide(model({ fallback: [entry('a', key), entry('b', other)] }))
    const after = hide(model({ fallback: [entry('b', 'sk-…3210'), entry('a', 'sk-…cdef')] }), before)
    expect(used(after)).toEqual(model({ fallback: [entry('b', other), entry('a', key)] }))
    const stolen = hide(model({ fallback: [entry('c', 'sk-…3210')] }), before)
    expect(used(stolen)).toEqual(model({ fallback: [{ base_url: 'https://c.example', model: 'n' }] }))
  })

  it('is read from rows that store its path relative to llm_agent', () => {
    const sealed = vault.seal(
      workspaceId,
      'agent secrets',
      agentId,
      JSON.stringify({ 'llm_config.fallback.0.api_key': key }),
    )
    const config = model({ fallback: [{ model: 'n', api_key: 'sk-…cdef' }] })
    expect(used({ config, sealed })).toEqual(model({ fallback: [{ model: 'n', api_key: key }] }))
    expect(used(hide(config, { config, sealed }))).toEqual(
      model({ fallback: [{ model: 'n', api_key: key }] }),
    )
  })

  it('of a new agent is not stored if it is only a mask', () => {
    expect(hide(model({ api_key: 'sk-…cdef' }))).toMatchObject({ config: model({}), sealed: null })
  })
})

describe('tool secrets', () => {
  const params = {
    url: `${a}/book/{id}`,
    method: 'POST',
    headers: {
      Authorization: 'Bearer 0123456789abcdef',
      'X-Key': 'short',
      'X-Number': 12345,
      'Content-Type': 'application/json',
      'X-Caller': '{caller}',
      'X-Session': 'Bearer %(session)s',
    },
    api_token: 'token-0123456789abcdef',
    param: '{"id": "%(id)s"}',
  }
  const shown = {
    ...params,
    headers: { ...params.headers, Authorization: 'Bea…cdef', 'X-Key': '…', 'X-Number': '…' },
    api_token: 'tok…cdef',
  }

  it('are masked; placeholders and harmless headers are shown as written', () => {
    expect(hide(tool(params)).config).toEqual(tool(shown))
    expect(used(hide(tool(params)))).toEqual(
      tool({ ...params, headers: { ...params.headers, 'X-Number': '12345' } }),
    )
  })

  it('are kept when their masks are sent back', () => {
    const again = hide(tool({ ...shown, url: `${a}/other` }), hide(tool(params)))
    expect(used(again)).toMatchObject(
      tool({ headers: { Authorization: 'Bearer 0123456789abcdef', 'X-Key': 'short' } }),
    )
    expect(again.warnings).toEqual([])
  })

  it('are dropped when the host of their tool changes; those of other tools are kept', () => {
    const moved = hide(tool({ ...shown, url: `${b}/book` }), hide(tool(params)))
    const { 'Content-Type': type, 'X-Caller': caller, 'X-Session': session } = params.headers
    const headers = { 'Content-Type': type, 'X-Caller': caller, 'X-Session': session }
    expect(used(moved)).toEqual(tool({ url: `${b}/book`, method: 'POST', headers, param: params.param }))
    expect(moved.warnings.map(({ path }) => path)).toEqual([
      'agent_config.api_tools.tools_params.book.headers.Authorization',
      'agent_config.api_tools.tools_params.book.headers.X-Key',
      'agent_config.api_tools.tools_params.book.headers.X-Number',
      'agent_config.api_tools.tools_params.book.api_token',
    ])
  })

  it('in `value` are bound to the address that is called, wherever it is written', () => {
    const inValue = (url: string, authorization: string) =>
      tool({ url }, { url: `${a}/unused`, headers: { authorization } })
    const before = hide(inValue(a, 'Bearer 0123456789abcdef'))
    expect(used(hide(inValue(a, 'Bea…cdef'), before))).toEqual(inValue(a, 'Bearer 0123456789abcdef'))
    expect(hide(inValue(b, 'Bea…cdef'), before).warnings).toHaveLength(1)
    const byValue = (url: string, authorization: string) => tool({ headers: { authorization } }, { url })
    expect(hide(byValue(b, 'Bea…cdef'), hide(byValue(a, 'Bearer 0123456789abcdef'))).warnings).toHaveLength(1)
  })

  it('move with a renamed tool', () => {
    const named = (name: string, authorization: string) => ({
      api_tools: { tools: [{ name }], tools_params: { [name]: { url: a, headers: { authorization } } } },
    })
    const after = hide(named('reserve', 'Bea…cdef'), hide(named('book', 'Bearer 0123456789abcdef')))
    expect(used(after)).toEqual(named('reserve', 'Bearer 0123456789abcdef'))
  })

  it.each([
    ['the whole', (config: { api_tools: object }) => ({ api_tools: JSON.stringify(config.api_tools) })],
    [
      'the parts',
      ({ api_tools }: { api_tools: { tools_params: { book: { headers: object } } } }) => {
        const { book } = api_tools.tools_params
        const written = JSON.stringify({ ...book, headers: JSON.stringify(book.headers) })
        return { api_tools: { ...api_tools, tools_params: { book: written } } }
      },
    ],
  ])('are found in JSON inside a string: %s', (_, asText) => {
    const hidden = hide(asText(tool(params) as never))
    expect(JSON.stringify(hidden.config)).not.toMatch(/0123456789|short|12345/)
    expect(hidden.config).toEqual(asText(tool(shown) as never))
    const back = hide(hidden.config, hidden)
    expect(JSON.stringify(used(back))).toContain('Bearer 0123456789abcdef')
  })

  it('in `headers` that is not an object are masked as a whole', () => {
    expect(hide(tool({ url: a, headers: 'Authorization: Bearer 0123456789' })).config).toEqual(
      tool({ url: a, headers: 'Aut…6789' }),
    )
  })
})

it('keys of speech vendors are masked too', () => {
  const config = { synthesizer: { provider_config: { api_key: key } }, transcriber: { api_key: other } }
  const hidden = hide(config)
  expect(JSON.stringify(hidden.config)).not.toMatch(/0123456789|9876543210/)
  expect(used(hidden)).toEqual(config)
})

it('a configuration without secrets is unchanged, and nothing is sealed', () => {
  const config = { agent_name: 'A', api_tools: '{ "tools": [] }', llm_agent: { x: null }, list: [1] }
  expect(hide(config)).toEqual({ config, sealed: null, warnings: [] })
})

const nameOf = (address: string | undefined) =>
  address === undefined ? 'the default server' : (URL.parse(address)?.origin ?? address)
