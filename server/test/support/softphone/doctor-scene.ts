// `parley doctor trunk --call` with Kamailio as the trunk: the number calls itself through it.
import { expect } from 'vitest'
import { runParley } from '../../../src/cli/parley.ts'
import type { Terminal } from '../../../src/cli/shell.ts'
import { type Kamailio, startKamailio } from '../../props/sip/kamailio/kamailio.ts'
import { workspaceId } from '../service.ts'
import type { Desk } from './desk.ts'

interface DoctorStep {
  readonly step: string
  readonly ok: boolean
  readonly message: string
}

export async function examineTrunks(desk: Desk): Promise<void> {
  const kamailio = await startKamailio()
  try {
    const whole = await examined(desk, kamailio, '+4930901870', '120')
    expect(whole.code).toBe(0)
    expect(whole.found.map(({ step, ok }) => `${step} ${ok}`)).toEqual(
      ['number', 'agent', 'trunk', 'dials', 'comes back', 'codec', 'heard by us', 'heard by them', 'nat'].map(
        (step) => `${step} true`,
      ),
    )
    expect(sentence(whole.found, 'codec')).toBe('Out by PCMA/8000, back by PCMA/8000.')
    expect(sentence(whole.found, 'nat')).toBe('The trunk sees us at 127.0.0.1, the address that we give.')

    // Kamailio tells both sides a port where nobody is.
    const deaf = await examined(desk, kamailio, '+4930901899', '4')
    expect(deaf.code).toBe(1)
    expect(deaf.found.filter(({ ok }) => !ok).map(({ step }) => step)).toEqual([
      'heard by us',
      'heard by them',
    ])
    expect(sentence(deaf.found, 'heard by us')).toContain('No sound came.')
  } finally {
    await kamailio.stop()
  }
}

const sentence = (found: readonly DoctorStep[], step: string) =>
  found.find((one) => one.step === step)?.message

async function examined(desk: Desk, { port }: Kamailio, number: string, seconds: string) {
  const credentials = { host: '127.0.0.1', port, username: number, password: 'secret', register: true }
  const body = {
    phone_number: number,
    provider: 'sip',
    inbound_agent_id: await desk.agent(),
    credentials: { ...credentials, codecs: ['PCMA'] },
  }
  expect((await desk.service.ask('POST', '/phone-numbers', { body })).body).toMatchObject({
    status: 'success',
  })
  let [out, err] = ['', '']
  const terminal: Terminal = {
    env: { DATABASE_URL: desk.service.database.url, PARLEY_SECRET: 'a secret for tests only' },
    stdin: process.stdin,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  }
  const options = ['--workspace', workspaceId, '--call', '--seconds', seconds]
  await runParley(['--json', 'doctor', 'trunk', number, ...options], terminal)
  expect(err).toBe('')
  return { code: Number(terminal.exitCode ?? 0), found: JSON.parse(out) as DoctorStep[] }
}
