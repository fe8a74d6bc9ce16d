// The operator's command line: workspaces, dashboard users, API keys, calls, batches. It works on the database
// directly, whether or not the service is running. `listen`, `say` and `transcribe` need no database.
import { Command, CommanderError } from 'commander'
import { openShell, type Shell, type Terminal } from './shell.ts'

/** The default of a module adds the commands of a group. */
interface CommandModule {
  default(command: Command, shell: Shell): void
}

type Group = readonly [name: string, about: string, load: () => Promise<CommandModule>]

const groups: readonly Group[] = [
  ['workspace', 'workspaces', () => import('./workspace-commands.ts')],
  ['user', 'users of the dashboard', () => import('./people-commands.ts')],
  ['key', 'API keys', () => import('./key-commands.ts')],
  ['agents', 'agents of a workspace, their graphs and versions', () => import('./agent-commands.ts')],
  ['call', 'calls of a workspace', () => import('./call-commands.ts')],
  ['batch', 'batches of calls of a workspace', () => import('./batch-commands.ts')],
  ['numbers', 'telephone numbers of a workspace and their trunks', () => import('./number-commands.ts')],
  ['trunk', 'the trunks behind telephone numbers', () => import('./number-commands.ts')],
  ['knowledge', 'repositories of documents that agents answer from', () => import('./knowledge-commands.ts')],
  ['doctor', 'finds out what is wrong', () => import('./doctor-command.ts')],
  [
    'pronunciations',
    'how words are said in the calls of a workspace',
    () => import('./pronunciation-commands.ts'),
  ],
  [
    'credentials',
    'keys of a workspace for vendors of speech and of language models',
    () => import('./credential-commands.ts'),
  ],
  ['tools', 'what agents of a workspace can do besides talking', () => import('./tool-commands.ts')],
  ['usage', 'what the calls of a workspace have used and cost', () => import('./usage-commands.ts')],
  ['caller', 'people that agents talk to, by their number', () => import('./usage-commands.ts')],
  ['archive', 'what was written to files before it was deleted', () => import('./backup-commands.ts')],
  [
    'backup',
    'writes the database, recordings and uploads to one file, while the service runs',
    () => import('./backup-commands.ts'),
  ],
  [
    'restore',
    'puts a back-up into an empty database and empty storage; then start the service',
    () => import('./backup-commands.ts'),
  ],
  [
    'migrate',
    'brings the database to this release and ends; the service does it by itself when it starts',
    () => import('./backup-commands.ts'),
  ],
  ['secret', 'the secret of this installation, and its replacement', () => import('./secret-commands.ts')],
  [
    'transcribe',
    'writes down what is said in a recording, audio or video',
    () => import('./transcribe-command.ts'),
  ],
  ['say', 'speaks a text with an offline voice, aloud or into a WAV file', () => import('./say-command.ts')],
  [
    'listen',
    'receives webhook deliveries on this machine and says of each whether it verifies',
    () => import('./listen-command.ts'),
  ],
]

/** Sets the exit code of the terminal, and leaves nothing open. */
export async function runParley(args: readonly string[], terminal: Terminal): Promise<void> {
  const parley = new Command('parley')
    .description('Administers a Parley installation. Settings come from the environment, as for the service.')
    .option('--json', 'print JSON instead of a table')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride()
  const shell = openShell(parley, terminal)
  for (const [name, about, load] of groups) {
    const command = parley.command(name).description(about)
    // Most of the time of a command is loading, so that only the group that was named is loaded. A word that merely
    // looks like the name of another loads one too many.
    if (args.includes(name)) (await load()).default(command, shell)
  }
  parley.hook('preAction', async (_parley, command) => {
    if (!command.options.some(({ long }) => long === '--workspace')) return
    const { findWorkspace } = await import('./workspace-option.ts')
    await findWorkspace(command, shell)
  })
  try {
    await parley.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    terminal.exitCode = error.exitCode
  }
}
