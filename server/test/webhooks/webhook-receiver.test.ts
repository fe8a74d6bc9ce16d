// Webhook receivers: each example, and `parley listen`, with real deliveries over a real socket.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CallCompletedEvent, signWebhook } from '@parley/sdk/webhooks'
import { afterEach, describe, expect, it } from 'vitest'
import * as onExpress from '../../../sdk/examples/express.ts'
import * as onFastify from '../../../sdk/examples/fastify.ts'
import * as onHono from '../../../sdk/examples/hono.ts'
import * as onNode from '../../../sdk/examples/plain-node.ts'

const secret = 'whsec_for_tests_only'
const webhookId = randomUUID()

function event(): CallCompletedEvent {
  return {
    id: randomUUID(),
    type: 'call.completed',
    created_at: new Date().toISOString(),
    data: {
      session_id: `session-${randomUUID()}`,
      agent_id: randomUUID(),
      call_status: 'completed',
      to_phone_number: '+15550100',
      call_type: null,
      duration: 12.5,
      call_sid: null,
      call_initiated_time: null,
      call_completed_time: null,
      call_terminated_by: null,
      // Bytes that change when JSON is parsed and serialised again.
      transcript: 'Grüße, 你好 👋',
      recording: { url: null, expiry: null },
      analytics: { summary: null, sentiment: null, disposition: null, data_extraction: null },
    },
  }
}

interface SentDelivery {
  readonly body: string
  readonly headers: Record<string, string>
}

/** A delivery as the service sends it. With extra spaces, to catch a receiver that verifies re-serialised JSON. */
function delivery(of: CallCompletedEvent, { agedSeconds = 0, endpoint = webhookId } = {}): SentDelivery {
  const body = JSON.stringify(of, null, 1)
  const timestamp = Math.floor(Date.now() / 1000) - agedSeconds
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-svc-webhook-id': endpoint,
      'x-svc-event': of.type,
      'x-svc-delivery-id': randomUUID(),
      ...signWebhook({ body, secret, timestamp }),
    },
  }
}

const tampered = (sent: SentDelivery): SentDelivery => ({ ...sent, body: sent.body.replace('12.5', '99.5') })

const post = async (url: string, { body, headers }: SentDelivery) =>
  (await fetch(url, { method: 'POST', body, headers })).status

const examples = { express: onExpress, fastify: onFastify, hono: onHono, 'plain-node': onNode }

describe.each(Object.entries(examples))('the example %s', (name, { start }) => {
  const handled: string[] = []
  let receiver: Awaited<ReturnType<typeof start>>
  afterEach(async () => {
    await receiver.close()
    handled.length = 0
  })
  const open = async () => {
    receiver = await start(secret, 0, ({ id }) => handled.push(id))
  }

  it('accepts a delivery, and handles it once however often it arrives', async () => {
    await open()
    const [first, second] = [event(), event()]
    expect(await post(receiver.url, delivery(first))).toBe(200)
    expect(await post(receiver.url, delivery(first))).toBe(200)
    expect(await post(receiver.url, delivery(second))).toBe(200)
    await expect.poll(() => handled).toContain(second.id)
    expect(handled).toEqual([first.id, second.id])
  })

  it('handles the same event again for another endpoint', async () => {
    await open()
    const once = event()
    expect(await post(receiver.url, delivery(once))).toBe(200)
    expect(await post(receiver.url, delivery(once, { endpoint: randomUUID() }))).toBe(200)
    await expect.poll(() => handled).toEqual([once.id, once.id])
  })

  it('refuses a delivery that was tampered with, is stale or is empty, and keeps running', async () => {
    await open()
    const { headers } = delivery(event())
    expect(await post(receiver.url, tampered(delivery(event())))).toBe(400)
    expect(await post(receiver.url, delivery(event(), { agedSeconds: 600 }))).toBe(400)
    expect(await post(receiver.url, delivery(event(), { agedSeconds: -600 }))).toBe(400)
    expect(await post(receiver.url, { body: '', headers })).toBe(400)
    expect(await post(receiver.url, { body: '{', headers: {} })).toBe(400)
    const good = event()
    expect(await post(receiver.url, delivery(good))).toBe(200)
    await expect.poll(() => handled).toEqual([good.id])
  })

  it('accepts no more than a megabyte', async () => {
    await open()
    const { body, headers } = delivery(event())
    expect(await post(receiver.url, { body: body.padEnd(1024 * 1024 + 1), headers })).toBe(413)
  })

  it('runs on its own', async () => {
    await open()
    const path = fileURLToPath(new URL(`../../../sdk/examples/${name}.ts`, import.meta.url))
    await using program = run([path], { WEBHOOK_SECRET: secret, PORT: '0' })
    const sent = event()
    expect(await post(await program.url(), delivery(sent))).toBe(200)
    await expect.poll(program.out).toContain(`call ${sent.data.session_id} ended: completed`)
  })

  it('does not start without a secret', async () => {
    await open()
    const path = fileURLToPath(new URL(`../../../sdk/examples/${name}.ts`, import.meta.url))
    await using program = run([path], { PORT: '0' })
    expect(await program.ended).toBe(1)
    expect(program.err()).toContain('Set WEBHOOK_SECRET')
  })
})

describe('parley listen', () => {
  const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
  const listen = (args: string[], cwd?: string) =>
    run([command, 'listen', '--secret', secret, '--port', '0', ...args], {}, cwd)

  it('shows whether a delivery is signed or tampered with', async () => {
    await using program = listen([])
    const url = await program.url()
    const [good, bad] = [event(), event()]
    const [goodSent, badSent] = [delivery(good), tampered(delivery(bad))]
    expect(await post(url, goodSent)).toBe(200)
    expect(await post(url, badSent)).toBe(400)
    await expect.poll(() => program.out().split('\n')).toHaveLength(3)
    const [first, second] = program.out().split('\n')
    expect(first).toContain(
      `call.completed  delivery ${goodSent.headers['x-svc-delivery-id']}  attempt 1  ✔ verified`,
    )
    expect(first).toContain(`call_status completed  session_id ${good.data.session_id}  → 200`)
    expect(second).toContain(
      `delivery ${badSent.headers['x-svc-delivery-id']}  attempt 1  ✘ no-matching-signature`,
    )
    expect(second).not.toContain(bad.data.session_id)
  })

  it.each([
    [['--json', '--full', '--fail', '500']],
    [['--fail', '500', '--full', '--delay', '1ms', '--json', '--secret', 'whsec_another']],
  ])('prints a line of JSON for each attempt that it answers with a failure, with %j', async (flags) => {
    await using program = listen(flags)
    const url = await program.url()
    const sent = event()
    const attempt = delivery(sent)
    expect([await post(url, attempt), await post(url, attempt)]).toEqual([500, 500])
    await expect.poll(() => program.out().split('\n')).toHaveLength(3)
    const shown = program
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(shown).toEqual([
      expect.objectContaining({ attempt: 1, verified: true, answered: 500, body: sent }),
      expect.objectContaining({ attempt: 2, verified: true, answered: 500, body: sent }),
    ])
  })

  it('needs no database and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-listen-'))
    try {
      await using program = listen([], folder)
      expect(await post(await program.url(), delivery(event()))).toBe(200)
      program.child.kill('SIGINT')
      await program.ended
      expect(await readdir(folder)).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('reports an invalid flag, or a port in use', async () => {
    await using first = listen([])
    const { port } = new URL(await first.url())
    for (const [flags, sentence] of [
      [['--port', port], 'EADDRINUSE'],
      [['--fail', '200'], '--fail: give a whole number from 300 to 599, not 200.'],
      [['--delay', 'soon'], '--delay: give a time such as 3s'],
      [['--secret', 'without a prefix'], '--secret: give the whole secret'],
    ] as const) {
      await using program = listen([...flags])
      expect(await program.ended).toBe(1)
      expect(program.err()).toContain(sentence)
    }
  })
})

/** A program with only the given environment; it ends with the test. */
function run(args: string[], env: Record<string, string>, cwd?: string) {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd && { cwd }),
  })
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (err += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const address = () => /Listening on (\S+)\n/.exec(out + err)?.[1]
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    /** Once it listens. */
    url: async () => {
      // Node takes a second to start, and many on a busy machine.
      await expect.poll(() => address() ?? err).toMatch(/^http/)
      return String(address())
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
