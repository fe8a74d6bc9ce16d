// What the terminal shows when the service is up.
import { describe, expect, it } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { announcement } from './announce.ts'
import type { Service } from './service.ts'

const service = (telephoneAddress?: string) =>
  ({ port: 8080, firstRun: undefined, signInToken: undefined, telephoneAddress }) as unknown as Service
const shown = (env: Record<string, string>, telephoneAddress?: string) =>
  announcement(service(telephoneAddress), readConfig(env))

describe('a service with a telephone line', () => {
  const address = 'sip:<agent_id>@192.168.1.5:5060'

  it('prints the address to call, and who may call it without a trunk', () => {
    const env = { PARLEY_SIP_PORT: '5060', PARLEY_SIP_ALLOW: '192.168.1.0/24' }
    expect(shown(env, address)).toContain(`  Telephones      ${address}   from 192.168.1.0/24\n`)
  })

  it('is called by this machine alone, unless a setting says otherwise', () =>
    expect(shown({ PARLEY_SIP_PORT: '5060' }, address)).toContain('   from 127.0.0.0/8, ::1/128\n'))
})

it('a service without one says nothing of telephones', () => expect(shown({})).not.toContain('Telephones'))

describe('a process with some of the roles', () => {
  const ofCalls = /Talk to it|Answers by|Calls reach|Speaks as/

  it('says that calls run elsewhere, if they do', () => {
    const told = shown({ PARLEY_ROLES: 'api' })
    expect(told).toContain('  Calls           run in processes with the role media; this one has none\n')
    expect(told).not.toMatch(ofCalls)
  })

  it('says how it runs calls, if it only does that', () => {
    const told = shown({ PARLEY_ROLES: 'media' })
    expect(told).toContain('  Calls reach     browsers, and simulated people')
    expect(told).toContain('(roles: media)')
    expect(told).not.toMatch(/Talk to it|Dashboard/)
  })

  it('says nothing of calls, if it has nothing to do with them', () =>
    expect(shown({ PARLEY_ROLES: 'worker,speech' })).not.toMatch(ofCalls))

  it('offers the link of the first start only where its page is', () => {
    const first = { ...service(), firstRun: {}, signInToken: 'once' } as unknown as Service
    const linkIn = (roles: string) =>
      announcement(first, readConfig({ PARLEY_ROLES: roles })).match(/Begin here.*|#sign-in=once/g)
    expect(linkIn('api,media')).toEqual([expect.stringMatching(/ Speak\.$/), '#sign-in=once'])
    expect(linkIn('api')).toEqual([expect.stringMatching(/within 15 minutes\.$/), '#sign-in=once'])
    expect(linkIn('media')).toBeNull()
  })
})

describe('the language model', () => {
  it('is named, with its address', () => {
    const env = { PARLEY_LLM_BASE_URL: 'http://localhost:11434/v1', PARLEY_LLM_MODEL: 'llama3.2' }
    expect(shown(env)).toContain('llama3.2 at http://localhost:11434/v1')
  })

  it('that nobody has connected is told, with the way to connect one', () => {
    const told = shown({})
    expect(told).toContain('the built-in dialogue policy, not a language model')
    expect(told).toMatch(/To connect one, set PARLEY_LLM_PROVIDER.*docs\/guide\/language-models\.md/)
  })
})

describe('the voice', () => {
  it('is named with the others, and where they are heard', () =>
    expect(shown({})).toContain(
      '  Speaks as       heart (wren); also bella, michael, fenrir; hear them in the dashboard or with parley say\n',
    ))

  it('is that of the engine that was chosen', () =>
    expect(shown({ PARLEY_TTS: 'kokoro' })).toMatch(/Speaks as {7}af_heart \(kokoro\); also .*am_michael/))
})
