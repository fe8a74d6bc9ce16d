// A whole spoken call to an agent with a manual: it answers three questions from it, says of a fourth that it does not
// know, and the record names its sources. Then the same agent with a model, which is given the passages.
//
// The manual is the Debian Administrator's Handbook; the questions are those of bench/knowledge/questions.json.
import { CallDetail } from '@parley/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ManualPage, readManual } from '../../../bench/knowledge/manual.ts'
import { minilm, moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import { describeUnless } from '../props/unless.ts'
import { detailOf, newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'
import { openVirtualRunner } from '../support/virtual-runner.ts'

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation, minilm)
const asked = [
  {
    say: 'What should I do before I edit a system file?',
    page: 'sect.user-group-databases.html',
    answer: /copy or backup/i,
  },
  {
    say: 'In which format should I export a database before moving it to another program?',
    page: 'sect.how-to-migrate.html',
    answer: /standard format|SQL dump/i,
  },
  {
    say: 'What does a display manager do?',
    page: 'sect.remote-login.html',
    answer: /login screen|graphical interface/i,
  },
]
const unanswered = 'How do I bake a loaf of rye bread?'
const manual = models.absent ? undefined : await readManual(asked.map(({ page }) => page))
const absent = models.absent ?? (manual ? undefined : 'the package debian-handbook is not here')

describeUnless(absent, 'an agent with a knowledge base', () => {
  let service: TestService
  let server: ModelServer
  let repositoryId: string
  const documents = new Map<string, string>()

  beforeAll(async () => {
    server = await openModelServer({ words: ['Make a copy first.'] })
    service = await openService(
      {
        PARLEY_MODELS_DIR: models.folder,
        PARLEY_TTS: 'wren',
        PARLEY_DRAIN_SECONDS: '1',
        PARLEY_TRUSTED_HOSTS: new URL(server.baseUrl).host,
      },
      undefined,
      openVirtualRunner,
    )
    const made = await service.ask('POST', '/knowledge-base', { body: { name: 'Handbook' } })
    repositoryId = made.body.data.repository_id
    for (const page of manual ?? []) documents.set(await addPage(page), page.name)
    await vi.waitFor(
      async () => {
        const { status } = (await service.ask('GET', `/knowledge-base/${repositoryId}`)).body.data
        expect(status).toBe('ready')
      },
      { timeout: 300_000, interval: 200 },
    )
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })

  async function addPage({ name, html }: ManualPage): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([html]), name)
    const response = await fetch(`${service.url}/agent/v1/knowledge-base/${repositoryId}/documents`, {
      method: 'POST',
      headers: { 'x-api-key': boundKey, 'idempotency-key': crypto.randomUUID() },
      body: form,
    })
    return ((await response.json()) as { data: { document_id: string } }).data.document_id
  }

  async function callWith(sayings: readonly string[], agent: object = {}): Promise<CallDetail> {
    const agent_id = await newAgent(service, {
      agent_type: 'knowledgebase_agent',
      repository_ids: [repositoryId],
      agent_welcome_message: 'Hello, this is the help desk.',
      agent_prompt: 'You are the help desk of Falcot.',
      ...agent,
    })
    const [first, ...others] = sayings
    const steps = [
      { say: first },
      ...others.map((say) => ({ wait_for: 'agent_done', say })),
      { wait_for: 'agent_done', hang_up: true, after_ms: 300 },
    ]
    const metadata = { sandbox: { ring_ms: 0, steps } }
    const body = { agent_id, to_phone_number: '+15550100', metadata }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    return vi.waitFor(
      async () => {
        const call = CallDetail.parse(await detailOf(service, session_id))
        expect(call.call_status).toBeOneOf(['completed', 'failed'])
        return call
      },
      // Four questions and answers are a minute of speech.
      { timeout: 390_000, interval: 500 },
    )
  }
  const answersIn = ({ transcript }: CallDetail) =>
    (transcript ?? []).filter(({ role, turn }) => role === 'agent' && turn > 0)

  it('answers from it, names its sources, and says what it does not know', async () => {
    const call = await callWith([...asked.map(({ say }) => say), unanswered])
    const answers = answersIn(call)
    expect(answers.map(({ content }) => content)).toHaveLength(4)
    for (const [place, { answer, page }] of asked.entries()) {
      expect(answers[place]?.content).toMatch(answer)
      const sources = answers[place]?.sources ?? []
      expect(documents.get(sources[0]?.document_id ?? '')).toBe(page)
      expect(sources[0]?.score).toBeGreaterThan(0.3)
    }
    expect(answers[3]?.content).toMatch(/do not know/)
    expect(answers[3]?.sources).toEqual([])
  })

  it('gives its model the passages, and the rule to say nothing else', async () => {
    const llm_agent = { llm_config: { base_url: server.baseUrl, model: 'm' } }
    const call = await callWith([asked[0]?.say ?? ''], { llm_agent })
    expect(answersIn(call)[0]).toMatchObject({
      content: 'Make a copy first.',
      sources: [{ score: expect.any(Number) }, ...Array<object>(4).fill({})],
    })
    const [system, ...rest] = server.asked.at(-1)?.body.messages ?? []
    expect(system?.content).toMatch(/^You are the help desk of Falcot\.\n\n.*knowledge base/)
    expect(system?.content).toMatch(/always make a copy or backup/)
    expect(system?.content).toMatch(/Answer from these passages only/)
    expect(rest.filter(({ role }) => role === 'system')).toEqual([])
  })
})
