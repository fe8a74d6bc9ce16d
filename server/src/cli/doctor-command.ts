// `parley doctor trunk`: tests the trunk of a number both ways and names what is wrong with it. The service has to run.
import type { Command } from 'commander'
import { callItself } from './call-itself.ts'
import { judgeCheck, judgeNumber, judgeSelfCall } from './judge-trunk.ts'
import { numberNamed, withNumbers } from './number-commands.ts'
import type { Shell } from './shell.ts'
import { inWorkspace } from './workspace-option.ts'

interface DoctorOptions {
  workspace: string
  call?: boolean
  seconds: string
}

export function addDoctorCommand(doctor: Command, { terminal, withInfrastructure }: Shell): void {
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
