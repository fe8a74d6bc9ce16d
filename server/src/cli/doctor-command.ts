// `parley doctor trunk`: tests the trunk of a number both ways and names what is wrong with it. The service has to run.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallDetail, StoredPhoneNumber } from '@parley/contract'
import type { Command } from 'commander'
import { committed } from '../http/work.ts'
import type { Infrastructure } from '../main/infrastructure.ts'
import type { CallOperations } from '../resources/calls/calls.ts'
import { callsOf } from './call-commands.ts'
import { type Finding, judgeCheck, judgeNumber, judgeSelfCall } from './judge-trunk.ts'
import { numberNamed, withNumbers } from './number-commands.ts'
import type { Shell } from './shell.ts'
import { inWorkspace } from './workspace-option.ts'

interface DoctorOptions {
  workspace: string
  call?: boolean
  seconds: string
}

// How often the database is asked for news of the two calls.
const lookMs = 500

export function addDoctorCommand(doctor: Command, { terminal, withInfrastructure }: Shell): void {
  inWorkspace(doctor.command('trunk'), 'whose number')
    .description('the trunk of a number: registration, whether it answers and, with --call, a call to itself')
    .argument('<number>', 'the number, or its id')
    .option(
      '--call',
      'call the number from itself through the trunk, which costs what the carrier takes for a call',
    )
    .option('--seconds <seconds>', 'how long the call lasts at most', '30')
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
            ...(await callItself(infrastructure, workspace, number, Number(seconds) * 1_000)),
          ]
        })
        if (found.some(({ ok }) => !ok)) terminal.exitCode = 1
        return found
      }),
    )
}

async function callItself(
  infrastructure: Infrastructure,
  workspaceId: string,
  { phone_number_id, phone_number, inbound_agent_id }: StoredPhoneNumber,
  mostMs: number,
): Promise<Finding[]> {
  const calls = await callsOf(infrastructure)
  const from = new Date().toISOString()
  const wish = { agent_id: inbound_agent_id as string, to_phone_number: phone_number, phone_number_id }
  const { session_id } = await committed(infrastructure.db, (work) => calls.place(workspaceId, wish, work))
  const back = async (): Promise<CallDetail | undefined> => {
    const { data } = await calls.list(workspaceId, { type: 'inbound', from }, { page: 1, limit: 20 })
    const found = data.find(({ to_phone_number: to }) => to === phone_number)
    return found && calls.get(workspaceId, found.session_id)
  }
  const untilMs = Date.now() + mostMs
  for (;;) {
    const [out, returned] = [await calls.get(workspaceId, session_id), await back()]
    const isOver = out.call_completed_time !== null && returned?.call_completed_time !== null
    if (isOver || Date.now() >= untilMs) break
    await sleep(lookMs)
  }
  for (const id of [session_id, (await back())?.session_id])
    if (id) await stopped(infrastructure, calls, workspaceId, id)
  return judgeSelfCall(await calls.get(workspaceId, session_id), await back())
}

// A stopped call has its record within this time.
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
  for (const untilMs = Date.now() + endMs; Date.now() < untilMs && !(await isOver()); ) await sleep(lookMs)
}
