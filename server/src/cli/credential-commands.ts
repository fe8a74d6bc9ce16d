// `parley credentials …`: the credentials of a workspace for vendors of speech and of language models.
import { NewCredentials, type VendorCredentials } from '@parley/contract'
import { type CredentialName, credentialNames } from '@parley/contract/companies'
import type { Command } from 'commander'
import { fail } from '../http/failure.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { type Credentials, credentials } from '../resources/credentials/credentials.ts'
import { credentialVendors } from '../vendors/credential-vendors.ts'
import type { Shell, Terminal } from './shell.ts'
import { type InWorkspace, inWorkspace, withUserGuard } from './workspace-option.ts'

interface SetOptions extends InWorkspace {
  baseUrl?: string
}

export default function addCredentialCommands(
  group: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const command = (name: string) => inWorkspace(group.command(name), 'whose credentials')
  const run = <Answer>(act: (rules: Credentials) => Promise<Answer>) =>
    withInfrastructure((infrastructure) => withCredentials(infrastructure, act))

  command('list')
    .description('every vendor, and whose credentials calls use')
    .action(({ workspace }: InWorkspace) =>
      run(async (rules) => (await rules.list(workspace)).vendors.map(brief)),
    )
  command('set')
    .description(
      'stores the credentials for a vendor and asks it whether they are valid; reads them as name=value from standard input, so that no shell remembers them',
    )
    .argument('<vendor>', `one of ${credentialNames.join(', ')}`)
    .option('--base-url <url>', "an address of your own instead of the vendor's")
    .action((vendor: string, { workspace, baseUrl }: SetOptions) =>
      run(async (rules) => {
        const body = checked(NewCredentials, {
          credentials: await fromInput(terminal),
          base_url: baseUrl ?? null,
        })
        return told(brief(await rules.put(workspace, known(vendor), body)), terminal)
      }),
    )
  command('check')
    .description('asks a vendor whether the credentials are valid')
    .argument('<vendor>', 'its name')
    .action((vendor: string, { workspace }: InWorkspace) =>
      run(async (rules) => told(await rules.check(workspace, known(vendor)), terminal)),
    )
  command('delete')
    .argument('<vendor>', 'its name')
    .action((vendor: string, { workspace }: InWorkspace) =>
      run((rules) => rules.remove(workspace, known(vendor))),
    )
}

/** Runs with the rules of credentials, and closes what was opened for them. */
const withCredentials = <Answer>(
  infrastructure: Infrastructure,
  act: (rules: Credentials) => Promise<Answer>,
) =>
  withUserGuard(infrastructure, (guard) => {
    const { db, vault, config } = infrastructure
    return act(credentials({ db, vault, guard, vendors: credentialVendors(config) }))
  })

const known = (vendor: string): CredentialName =>
  credentialNames.find((name) => name === vendor.toLowerCase()) ??
  fail('VALIDATION_ERROR', { message: `There is no vendor ${vendor}. Known: ${credentialNames.join(', ')}.` })

/** Lines of name=value; a line without a name is the key. */
async function fromInput({ stdin, stderr }: Terminal): Promise<Record<string, string>> {
  if (stdin.isTTY) stderr.write('api_key=… and what else the vendor needs, then Ctrl-D:\n')
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = 'api_key', value = line] = line.match(/^([a-z_]+)=(.+)$/) ?? []
      return [name, value.trim()]
    }),
  )
}

const brief = ({ vendor, source, credentials: shown, base_url, last_check }: VendorCredentials) => ({
  vendor,
  source,
  ...shown,
  ...(base_url && { base_url }),
  ...(last_check && { ok: last_check.ok, message: last_check.message }),
})

/** A refused key is a failure of the command. */
function told<Answer extends { ok?: boolean | null }>(answer: Answer, terminal: Terminal): Answer {
  if (answer.ok === false) terminal.exitCode = 1
  return answer
}
