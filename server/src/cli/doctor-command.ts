// `parley doctor trunk`: tests the trunk of a number both ways and names what is wrong with it. The service has to run.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallDetail, StoredPhoneNumber } from '@parley/contract'
import type { Command } from 'commander'
import { committed } from '../http/work.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { type CallOperations, eventsAfter } from '../resources/calls/calls.ts'
import { callsOf } from './call-commands.ts'
import { judgeCheck, judgeNumber, judgeSelfCall, type SelfCall } from './judge-trunk.ts'
import { numberNamed, withNumbers } from './number-commands.ts'
import type { Shell } from './shell.ts'
import { type InWorkspace, inWorkspace } from './workspace-option.ts'

interface DoctorOptions extends InWorkspace {
  call?: boolean
  seconds: string
}

export default function addDoctorCommand(doctor: Command, { terminal, withInfrastructure }: Shell): void {
  inWorkspace(doctor.command('trunk'), 'whose number')
    .description('the trunk of a number: registration, whether it answers and, with --call, a call to itself')
    .argument('<number>', 'the number, or its id')
    .option(
      '--call',
      'call the number from itself through the trunk, which costs what the carrier takes for a call',
    )
    .option(
      '--seconds <seconds>',
      'how long the call lasts at most; it ends when both sides have heard a word',
      '30',
    )
    .action((named: string, { workspace, call, seconds }: DoctorOptions) =>
      withInfrastructure(async (infrastructure) => {
        const found = await withNumbers(infrastructure, async (rules) => {
          const number = await numberNamed(rules, workspace, named)
          const findings = judgeNumber(number)
          if (!number.credentials || number.status !== 'active') return findings
          findings.push(judgeCheck(await rules.check(workspace, number.phone_number_id)))
          if (!call || number.inbound_agent_id === null) return findings
          return [
            ...findings,
            ...judgeSelfCall(await callItself(infrastructure, workspace, number, Number(seconds) * 1_000)),
          ]
        })
        if (found.some(({ ok }) => !ok)) terminal.exitCode = 1
        return found
      }),
    )
}

// A call from a number to itself through its trunk, until both sides have heard something.

// How often the database is asked for news of the two calls.
const lookMs = 500
// The events of a call's first seconds; the caller's first words are among them.
const mostEvents = 500

async function callItself(
  infrastructure: Infrastructure,
  workspaceId: string,
  { phone_number, phone_number_id, inbound_agent_id }: StoredPhoneNumber,
  mostMs: number,
): Promise<SelfCall> {
  const calls = await callsOf(infrastructure)
  const from = new Date().toISOString()
  const wish = { agent_id: inbound_agent_id as string, to_phone_number: phone_number, phone_number_id }
  const { session_id } = await committed(infrastructure.db, (work) => calls.place(workspaceId, wish, work))
  const back = async (): Promise<CallDetail | undefined> => {
    const { data } = await calls.list(workspaceId, { type: 'inbound', from }, { page: 1, limit: 20 })
    const found = data.find(({ to_phone_number: to }) => to === phone_number)
    return found && calls.get(workspaceId, found.session_id)
  }
  const hasHeard = async (sessionId: string) =>
    (await eventsAfter(infrastructure.db, sessionId, 0, mostEvents)).some(
      ({ type, data }) => type === 'transcript' && JSON.parse(data).role === 'user',
    )
  await within(mostMs, async () => {
    const [out, returned] = [await calls.get(workspaceId, session_id), await back()]
    const isOver = out.call_completed_time !== null && returned?.call_completed_time !== null
    return (
      isOver ||
      (returned !== undefined && (await hasHeard(session_id)) && (await hasHeard(returned.session_id)))
    )
  })
  for (const id of [session_id, (await back())?.session_id])
    if (id) await stopped(infrastructure, calls, workspaceId, id)
  const messagesOf = async () => (await calls.sip(workspaceId, session_id)).messages
  await within(endMs, async () => (await messagesOf()).length > 0)
  const messages = await messagesOf()
  return { out: await calls.get(workspaceId, session_id), back: await back(), messages }
}

// A stopped call has its record, and then its messages, within this time each.
const endMs = 10_000

async function stopped(
  { db }: Infrastructure,
  calls: CallOperations,
  workspaceId: string,
  sessionId: string,
): Promise<void> {
  const isOver = async () => (await calls.get(workspaceId, sessionId)).call_completed_time !== null
  if (await isOver()) return
  // It may end by itself meanwhile.
  await committed(db, (work) => calls.stop(workspaceId, sessionId, work)).catch(() => {})
  await within(endMs, isOver)
}

async function within(mostMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const untilMs = Date.now() + mostMs; Date.now() < untilMs && !(await isSo()); ) await sleep(lookMs)
}
