// Traces and metrics at a collector: a whole call with a model and a tool, from the request to the delivery of its
// event.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { endsWithoutResult } from '../../src/platform/jobs/job.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import { describeUnless } from '../props/unless.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { type CollectedSpan, type Collector, openCollector } from '../support/collector.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService } from '../support/service.ts'
import { openToolServer, type ToolServer } from '../support/tool-server.ts'
import { openVirtualRunner } from '../support/virtual-runner.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const clientTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const clientSpan = '00f067aa0ba902b7'
// SPAN_KIND_CLIENT in OTLP, which counts from one higher than the API.
const clientKind = 3

describeUnless(absent, 'a collector', () => {
  let collector: Collector
  let model: ModelServer
  let tools: ToolServer
  let receiver: Receiver
  let service: TestService
  let sessionId: string
  let latency: { turn: number; total: number }[]
  let record: { transcript: { start_time: number }[]; engines: object[] }
  const spans = () => collector.spans.filter(({ traceId }) => traceId === sessionId.replaceAll('-', ''))
  const named = (name: string) => spans().filter((span) => span.name === name)

  beforeAll(async () => {
    ;[collector, model, tools, receiver] = await Promise.all([
      openCollector(),
      openModelServer(),
      openToolServer(),
      openReceiver(),
    ])
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_DRAIN_SECONDS: '1',
        PARLEY_LLM_BASE_URL: model.baseUrl,
        PARLEY_LLM_MODEL: 'first',
        PARLEY_OTLP_ENDPOINT: collector.url,
        PARLEY_OTLP_HEADERS: 'authorization=Bearer abc',
        PARLEY_CALL_EVENT_DELAY_SECONDS: '0.1',
        PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
        PARLEY_TRUSTED_HOSTS: '127.0.0.1',
      },
      undefined,
      openVirtualRunner,
    )
    const hook = { url: receiver.url, events: ['call.completed'] }
    expect((await service.ask('POST', '/webhooks', { body: hook })).status).toBe(201)
    const tool = { type: 'http', name: 'find_order', url: `${tools.url}/orders`, method: 'GET' }
    const { tool_id } = (await service.ask('POST', '/tools', { body: tool })).body.data
    model.answers.push(
      { calls: [{ id: 'call_1', name: 'find_order', pieces: ['{}'] }] },
      { words: ['It is on its way.'] },
      { words: ['{"summary":"An order was asked for."}'] },
    )
    const agent_id = await newAgent(service, {
      agent_welcome_message: 'Hello, this is the shop.',
      call_analysis_config: { summary: true, sentiment: false, data_extraction: false },
      tool_definition_ids: [tool_id],
    })
    const steps = [{ say: 'Where is my order?' }, { wait_for: 'agent_done', hang_up: true, after_ms: 300 }]
    const body = { agent_id, to_phone_number: '+15550100', metadata: { sandbox: { ring_ms: 500, steps } } }
    const headers = { traceparent: `00-${clientTrace}-${clientSpan}-01` }
    sessionId = (await service.ask('POST', '/calls', { body, headers })).body.data.session_id
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await service?.close()
    isClosed = true
  }
  afterAll(async () => {
    await close()
    await Promise.all([collector, model, tools, receiver].map((each) => each?.close()))
  })

  it('has one trace of a call, with the id of the call', async () => {
    const call = await reaches(service, sessionId, 'completed')
    ;[latency, record] = [call.latency.turns, call]
    await expect.poll(() => named('webhook delivery').length).toBe(1)
    await expect.poll(() => named('call').length).toBe(1)
    await expect.poll(() => named('POST /agent/v1/calls').length).toBe(1)
    const [root] = named('call')
    expect(root?.parentSpanId).toBeUndefined()
    expect(root?.attributes).toMatchObject({
      'parley.call.id': sessionId,
      'parley.call.status': 'completed',
      'parley.call.hangup_reason': 'user_hangup',
      'gen_ai.response.model': 'first',
    })
    const ids = new Set(spans().map(({ spanId }) => spanId))
    expect(ids.size).toBe(spans().length)
    const orphans = spans().filter((span) => span !== root && !ids.has(span.parentSpanId ?? ''))
    expect(orphans.map(({ name }) => name)).toEqual([])
    expect(named('dial')[0]?.startMs).toBe(root?.startMs)
  })

  it('has turns whose steps add up to their latency', () => {
    const turns = named('turn')
    expect(turns.length).toBeGreaterThan(0)
    for (const turn of turns) {
      const measured = latency.find((each) => each.turn === turn.attributes['parley.turn'])
      expect(Math.abs(turn.endMs - turn.startMs - (measured?.total ?? 0))).toBeLessThan(1)
      const steps = spans().filter(({ parentSpanId }) => parentSpanId === turn.spanId)
      expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(['endpointing', 'synthesis']))
      expect(Math.abs(covered(steps, turn) - (turn.endMs - turn.startMs))).toBeLessThan(1)
    }
  })

  it('has the model by its bare name, with its provider and without its host', () => {
    expect(named('chat first').length).toBeGreaterThan(0)
    for (const chat of named('chat first'))
      expect(chat).toMatchObject({
        kind: clientKind,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'first',
          'gen_ai.provider.name': 'openai_compatible',
          'gen_ai.response.time_to_first_chunk': expect.any(Number),
        },
      })
    expect(JSON.stringify(spans())).not.toContain(new URL(model.baseUrl).host)
  })

  it('has the answer, and the greeting until its first sound', () => {
    const [[root], [dial], [greeting]] = [named('call'), named('dial'), named('greeting')]
    expect(root).toMatchObject({ events: [{ name: 'answer' }] })
    expect(greeting).toMatchObject({ parentSpanId: root?.spanId, startMs: dial?.endMs })
    const heardMs = (record.transcript[0]?.start_time ?? Number.NaN) * 1_000
    expect(Math.abs((greeting?.endMs ?? 0) - (greeting?.startMs ?? 0) - heardMs)).toBeLessThan(1)
  })

  it('is sent what the guide shows, and nothing else', async () => {
    const plain = (name: string) => name.replace(/^(chat|execute_tool) .*/, '$1')
    const guide = await readFile(new URL('../../../docs/guide/observability.md', import.meta.url), 'utf8')
    const [, picture = ''] = /```\n(call .*?)```/s.exec(guide) ?? []
    const shown = picture.split('\n').flatMap((line) => /^[│├└ ]*(\S.*?) {2,}/.exec(line)?.[1] ?? [])
    const sent = spans().map(({ name }) => plain(name))
    // Only of a model that was asked after the turn was over.
    const others = sent.filter((name) => name !== 'preparation')
    expect(new Set(others)).toEqual(new Set(shown.map(plain)))
  })

  it('has more about the engines than the record of the call, which stays as it is', () => {
    const fields = new Set(record.engines.flatMap((engine) => Object.keys(engine)))
    expect([...fields].toSorted()).toEqual(['asked', 'part', 'used', 'why'])
  })

  it('sees the tool, and the tool and the model learn the trace, also that of the analysis', async () => {
    expect(named('execute_tool find_order')).toMatchObject([
      { attributes: { 'gen_ai.tool.name': 'find_order' } },
    ])
    const trace = new RegExp(`^00-${sessionId.replaceAll('-', '')}-[0-9a-f]{16}-01$`)
    expect(tools.seen[0]?.headers.traceparent).toMatch(trace)
    await expect.poll(() => model.asked.length).toBe(3)
    for (const { headers } of model.asked) expect(headers.traceparent).toMatch(trace)
  })

  it('sees the request that placed the call, in the client’s own trace and in the call’s', () => {
    const name = 'POST /agent/v1/calls'
    const own = collector.spans.find((span) => span.name === name && span.traceId === clientTrace)
    expect(own).toMatchObject({ parentSpanId: clientSpan, attributes: { 'http.response.status_code': 201 } })
    expect(own?.links).toMatchObject([{ traceId: sessionId.replaceAll('-', '') }])
    expect(named(name)[0]?.links).toMatchObject([{ traceId: clientTrace, spanId: own?.spanId }])
  })

  it('sees the delivery of the event, and the receiver learns the trace', () => {
    const [delivery] = named('webhook delivery')
    expect(delivery).toMatchObject({ attributes: { 'http.response.status_code': 200 } })
    expect(receiver.received[0]?.headers.traceparent).toBe(
      `00-${sessionId.replaceAll('-', '')}-${delivery?.spanId}-01`,
    )
  })

  it('learns neither numbers nor words', () => {
    expect(JSON.stringify(collector.spans)).not.toMatch(/15550100|order\?|on its way/)
  })

  it('is watched by rules and a dashboard that name only metrics that there are', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    const known = new Set(['', '_bucket', '_count', '_sum'].flatMap((end) => names.map((name) => name + end)))
    const files = {
      'observability/alerts.yaml': 5,
      'observability/grafana-dashboard.json': 5,
      'helm/parley/templates/autoscaling.yaml': 0,
    }
    for (const [file, atLeast] of Object.entries(files)) {
      const rules = await readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
      const named = new Set(rules.match(/\b(parley|process|nodejs)_[a-z0-9_]+\b/g))
      expect(named.size).toBeGreaterThan(atLeast)
      expect([...named].filter((name) => !known.has(name))).toEqual([])
      // A bound that is no bucket's would never count anything.
      const bounds = [...rules.matchAll(/(parley_\w+_bucket)\{[^}]*le=\\?"([^"\\]+)/g)]
      for (const [, name, bound] of bounds) expect(text).toContain(`${name}{le="${bound}"`)
      // An outcome that no job has would never count anything either.
      const ends = [...rules.matchAll(/parley_job_seconds\w*\{outcome=~\\?"([^"\\]+)/g)].flatMap(([, is]) =>
        is?.split('|'),
      )
      expect(endsWithoutResult).toEqual(expect.arrayContaining(ends))
    }
    // Prometheus has labels of its own with these names, and renames ours.
    expect(text).not.toMatch(/[{,](job|instance)="/)
  })

  it('names the trace of a slow turn and of a request to readers of OpenMetrics', async () => {
    const accept = 'application/openmetrics-text; version=1.0.0'
    const response = await fetch(`${service.url}/metrics`, { headers: { accept } })
    expect(response.headers.get('content-type')).toContain('application/openmetrics-text')
    const text = await response.text()
    expect(text).toMatch(/\n# EOF\n$/)
    const ofCall = `\\# \\{trace_id="${sessionId.replaceAll('-', '')}"\\}`
    expect(text).toMatch(
      new RegExp(`^parley_turn_seconds_bucket\\{le="[^"]+",part="total"\\} \\d+ ${ofCall} `, 'm'),
    )
    expect(text).toMatch(new RegExp(`^parley_http_request_seconds_bucket\\{.*"POST".*${clientTrace}`, 'm'))
    expect(text).toMatch(new RegExp(`^parley_delivery_delay_seconds_bucket\\{.*${ofCall} `, 'm'))
    expect(text).toMatch(
      new RegExp(`^parley_webhook_attempt_seconds_bucket\\{.*"delivered".*${ofCall} `, 'm'),
    )
  })

  it('gets the metrics that Prometheus reads, and the headers that it wants', async () => {
    // What waits is sent at the end.
    await close()
    const turns = collector.metrics.find(({ name }) => name === 'parley_turn_seconds')
    const total = turns?.points.find(({ attributes }) => attributes.part === 'total')
    expect(total?.count).toBe(latency.length)
    expect(total?.bucketCounts?.reduce((sum, count) => sum + Number(count), 0)).toBe(latency.length)
    expect(total?.bucketCounts?.length).toBe((total?.explicitBounds?.length ?? 0) + 1)
    const slowest = Math.max(...latency.map((turn) => turn.total)) / 1_000
    const ofTurns = collector.exemplars.filter(({ name }) => name === 'parley_turn_seconds')
    const found = ofTurns.filter(
      ({ attributes, value }) => attributes.part === 'total' && value >= slowest - 0.001,
    )
    expect(found).toMatchObject([{ traceId: sessionId.replaceAll('-', '') }])
    expect(collector.metrics.find(({ name }) => name === 'parley_calls_ended_total')).toMatchObject({
      kind: 'sum',
      points: [{ attributes: { status: 'completed' }, value: 1 }],
    })
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer abc' })
  })
})

/** How much of the turn lies within one of its steps, in milliseconds. */
function covered(steps: readonly CollectedSpan[], turn: CollectedSpan): number {
  let reachedMs = turn.startMs
  let sumMs = 0
  for (const { startMs, endMs } of steps.toSorted((a, b) => a.startMs - b.startMs)) {
    const fromMs = Math.max(startMs, reachedMs)
    if (endMs <= fromMs) continue
    sumMs += endMs - fromMs
    reachedMs = endMs
  }
  return sumMs
}
