// `parley numbers …` and `parley trunk …`: the telephone numbers of a workspace, with the same validation as the API.
import { type BodyOf, createPhoneNumber, Id, type StoredPhoneNumber } from '@parley/contract'
import type { Command } from 'commander'
import { fail } from '../http/failure.ts'
import { committed } from '../http/work.ts'
import { type Config, SettingError } from '../platform/config.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { agents } from '../resources/agents/agents.ts'
import { checkElsewhere, type PhoneNumbers, phoneNumbers } from '../resources/phone-numbers/phone-numbers.ts'
import { readGiven } from './given-path.ts'
import { pairOf, type Shell, type Terminal } from './shell.ts'
import { everyPage, type InWorkspace, inWorkspace, withUserGuard } from './workspace-option.ts'

interface AddOptions extends InWorkspace {
  provider: string
  label?: string
  inboundAgent?: string
  outboundAgent?: string
  atATime?: string
  host?: string
  port?: string
  transport?: string
  username?: string
  passwordFile?: string
  register?: boolean
  inboundAllow?: string[]
  codecs?: string[]
  header?: string[]
  srtp?: string
  fromUser?: string
  prefixes?: string[]
  inboundUser?: string
}

/** Each group adds its own. */
export default (command: Command, shell: Shell): void => adders[command.name()]?.(command, shell)

const adders: Readonly<Record<string, (command: Command, shell: Shell) => void>> = {
  numbers: addNumberCommands,
  trunk: addTrunkCommand,
}

function addNumberCommands(numbers: Command, { terminal, withInfrastructure, checked }: Shell): void {
  const command = (name: string) => inWorkspace(numbers.command(name), 'whose numbers')

  command('list').action(({ workspace }: InWorkspace) =>
    withInfrastructure((infrastructure) =>
      withNumbers(infrastructure, async (rules) => (await allNumbers(rules, workspace)).map(brief)),
    ),
  )
  command('add')
    .description('stores a number; its calls go through the SIP trunk or the PBX at --host')
    .argument('<number>', 'E.164, such as +4930901820')
    .option('--provider <name>', 'sip or sandbox', 'sip')
    .option('--label <text>', 'yours')
    .option('--inbound-agent <id>', 'takes its calls')
    .option('--outbound-agent <id>', 'calls from it when a call names no number')
    .option('--at-a-time <calls>', 'in both directions')
    .option('--host <host>', 'of the trunk; not needed with --inbound-user')
    .option('--port <port>', 'otherwise by DNS, or the usual one')
    .option('--transport <name>', 'udp, tcp or tls')
    .option('--username <name>', 'otherwise the trunk knows us by our address')
    .option('--password-file <path>', 'a file with the password; otherwise PARLEY_TRUNK_PASSWORD')
    .option('--register', 'register there, so that calls come to us')
    .option('--inbound-allow <address...>', 'addresses and CIDR blocks whose calls are taken')
    .option('--codecs <name...>', 'by preference: opus, G722, PCMU, PCMA')
    .option('--header <name=value...>', 'sent with every INVITE')
    .option('--srtp <mode>', 'off, optional or required')
    .option('--from-user <name>', 'the user part of From')
    .option('--prefixes <prefix...>', 'destinations that it is preferred for')
    .option(
      '--inbound-user <name>',
      'a telephone that logs in here, with the password of --password-file; not together with --username',
    )
    .action((number: string, options: AddOptions) =>
      withInfrastructure((infrastructure) =>
        withNumbers(infrastructure, async (rules) => {
          const wish = checked(createPhoneNumber.body, await wishOf(number, options, terminal))
          const { workspace } = options
          const made = await committed(infrastructure.db, (work) => rules.create(workspace, wish, work))
          return brief(made)
        }),
      ),
    )
  command('remove')
    .argument('<number>', 'the number, or its id')
    .action((number: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) =>
        withNumbers(infrastructure, async (rules) => {
          const { phone_number_id } = await numberNamed(rules, workspace, number)
          return rules.remove(workspace, phone_number_id)
        }),
      ),
    )
}

function addTrunkCommand(trunk: Command, { terminal, withInfrastructure, withConfig }: Shell): void {
  trunk
    .command('dscp')
    .description('prints rules that mark our sound and our SIP: parley trunk dscp | nft -f -')
    .action(() =>
      withConfig(async ({ sip }) => {
        if (!sip) throw new SettingError('PARLEY_SIP_PORT', 'is not set: there is no telephone line.')
        terminal.stdout.write(dscpRules(sip))
      }),
    )
  inWorkspace(trunk.command('check'), 'whose number')
    .description('asks the trunk of a number whether it is there; the service has to run')
    .argument('<number>', 'the number, or its id')
    .action((number: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) =>
        withNumbers(infrastructure, async (rules) => {
          const { phone_number_id } = await numberNamed(rules, workspace, number)
          const check = await rules.check(workspace, phone_number_id)
          if (!check.ok) terminal.exitCode = 1
          return check
        }),
      ),
    )
}

/** Runs with the rules of numbers, and closes what was opened for them. */
export const withNumbers = <Answer>(
  infrastructure: Infrastructure,
  run: (rules: PhoneNumbers) => Promise<Answer>,
): Promise<Answer> =>
  withUserGuard(infrastructure, (guard) => {
    const { db, vault } = infrastructure
    const checkTrunk = checkElsewhere(db)
    return run(phoneNumbers({ db, vault, agents: agents(db, vault), guard, checkTrunk }))
  })

const allNumbers = (rules: PhoneNumbers, workspaceId: string): Promise<StoredPhoneNumber[]> =>
  everyPage((page) => rules.list(workspaceId, {}, page))

/** Finds a number by its id, or by its digits as they are written. */
export async function numberNamed(
  rules: PhoneNumbers,
  workspaceId: string,
  named: string,
): Promise<StoredPhoneNumber> {
  if (Id.safeParse(named).success) return rules.get(workspaceId, named)
  const stored = (await allNumbers(rules, workspaceId)).find(({ phone_number }) => phone_number === named)
  return stored ?? fail('PHONE_NUMBER_NOT_FOUND', { message: `This workspace has no number ${named}.` })
}

async function wishOf(
  phone_number: string,
  options: AddOptions,
  { env }: Terminal,
): Promise<BodyOf<typeof createPhoneNumber>> {
  const { passwordFile } = options
  const password = passwordFile
    ? (await readGiven(passwordFile)).toString().trim()
    : env.PARLEY_TRUNK_PASSWORD
  const trunk = {
    host: options.host,
    port: options.port === undefined ? undefined : Number(options.port),
    transport: options.transport,
    username: options.username,
    password: options.username === undefined ? undefined : password,
    register: options.register,
    inbound_allow: options.inboundAllow,
    codecs: options.codecs,
    headers: options.header && Object.fromEntries(options.header.map(pairOf)),
    srtp: options.srtp,
    from_user: options.fromUser,
    prefixes: options.prefixes,
    inbound_users:
      options.inboundUser === undefined ? undefined : [{ username: options.inboundUser, password }],
  }
  return {
    phone_number,
    provider: options.provider,
    label: options.label,
    inbound_agent_id: options.inboundAgent,
    outbound_agent_id: options.outboundAgent,
    max_concurrency: options.atATime === undefined ? undefined : Number(options.atATime),
    ...(Object.values(trunk).some((value) => value !== undefined) && { credentials: trunk }),
    // What was typed stays as it is; the schema decides about it.
  } as BodyOf<typeof createPhoneNumber>
}

/** The fields that fit into a line of a table. */
const brief = ({ credentials, registration, ...number }: StoredPhoneNumber) => ({
  ...number,
  host: credentials?.host ?? null,
  username: credentials?.username ?? null,
  register: credentials?.register ?? null,
  registration: registration?.state ?? null,
  inbound_users: credentials?.inbound_users.map(({ username }) => username).join(' ') ?? '',
})

// The rules for nftables that mark what this installation sends to telephones. Node has no option for it on a socket.

/** The port that trunks listen on unless their `port` says otherwise. */
const usualPorts = [5060, 5061]

/** The rules are written for `nft -f`. Loaded again, they replace the old ones. */
function dscpRules({ port, tls, rtpPorts: { from, to } }: NonNullable<Config['sip']>): string {
  const ours = tls ? [port, tls.port] : [port]
  if (ours.includes(0))
    throw new SettingError(
      port === 0 ? 'PARLEY_SIP_PORT' : 'PARLEY_SIP_TLS_PORT',
      'is 0, any free port: choose one, so that it can be marked.',
    )
  // A connection that we open has an arbitrary port on our side and a known one on the trunk's.
  const theirs = [...new Set([...ours, ...usualPorts])]
  return `# DSCP marks of Parley: sound EF, SIP CS3. Taken away by: nft delete table inet parley_dscp
table inet parley_dscp
delete table inet parley_dscp
table inet parley_dscp {
  chain output {
    type filter hook output priority mangle; policy accept;
${marked(`udp sport ${from}-${to}`, 'ef')}
${marked(`meta l4proto { tcp, udp } th sport { ${ours.join(', ')} }`, 'cs3')}
${marked(`tcp dport { ${theirs.join(', ')} }`, 'cs3')}
  }
}
`
}

const marked = (packets: string, mark: string): string =>
  ['ip', 'ip6'].map((family) => `    ${packets} ${family} dscp set ${mark}`).join('\n')
