// The operator's command line: workspaces, dashboard users, API keys, calls, batches. It works on the database
// directly, whether or not the service is running. `listen`, `say` and `transcribe` need no database.
import { Command, CommanderError } from 'commander'
import { openShell, type Shell, type Terminal } from './shell.ts'

type Add = (command: Command, shell: Shell) => void

type Group = readonly [name: string, about: string, load: () => Promise<Add>]

const groups: readonly Group[] = [
  ['workspace', 'workspaces', async () => (await import('./workspace-commands.ts')).addWorkspaceCommands],
  ['user', 'users of the dashboard', async () => (await import('./people-commands.ts')).addPeopleCommands],
  ['key', 'API keys', async () => (await import('./key-commands.ts')).addKeyCommands],
  [
    'agents',
    'agents of a workspace, their graphs and versions',
    async () => (await import('./agent-commands.ts')).addAgentCommands,
  ],
  ['call', 'calls of a workspace', async () => (await import('./call-commands.ts')).addCallCommands],
  [
    'batch',
    'batches of calls of a workspace',
    async () => (await import('./batch-commands.ts')).addBatchCommands,
  ],
  [
    'numbers',
    'telephone numbers of a workspace and their trunks',
    async () => (await import('./number-commands.ts')).addNumberCommands,
  ],
  [
    'trunk',
    'the trunks behind telephone numbers',
    async () => (await import('./number-commands.ts')).addTrunkCommand,
  ],
  [
    'knowledge',
    'repositories of documents that agents answer from',
    async () => (await import('./knowledge-commands.ts')).addKnowledgeCommands,
  ],
  ['doctor', 'finds out what is wrong', async () => (await import('./doctor-command.ts')).addDoctorCommand],
  [
    'pronunciations',
    'how words are said in the calls of a workspace',
    async () => (await import('./pronunciation-commands.ts')).addPronunciationCommands,
  ],
  [
    'credentials',
    'keys of a workspace for vendors of speech and of language models',
    async () => (await import('./credential-commands.ts')).addCredentialCommands,
  ],
  [
    'tools',
    'what agents of a workspace can do besides talking',
    async () => (await import('./tool-commands.ts')).addToolCommands,
  ],
  [
    'usage',
    'what the calls of a workspace have used and cost',
    async () => (await import('./usage-commands.ts')).addUsageCommand,
  ],
  [
    'caller',
    'people that agents talk to, by their number',
    async () => (await import('./usage-commands.ts')).addCallerCommands,
  ],
  [
    'archive',
    'what was written to files before it was deleted',
    async () => (await import('./backup-commands.ts')).addArchiveCommand,
  ],
  [
    'backup',
    'writes the database, recordings and uploads to one file, while the service runs',
    async () => (await import('./backup-commands.ts')).addBackupCommand,
  ],
  [
    'restore',
    'puts a back-up into an empty database and empty storage; then start the service',
    async () => (await import('./backup-commands.ts')).addRestoreCommand,
  ],
  [
    'migrate',
    'brings the database to this release and ends; the service does it by itself when it starts',
    async () => (await import('./backup-commands.ts')).addMigrateCommand,
  ],
  [
    'secret',
    'the secret of this installation, and its replacement',
    async () => (await import('./secret-commands.ts')).addSecretCommands,
  ],
  [
    'transcribe',
    'writes down what is said in a recording, audio or video',
    async () => (await import('./transcribe-command.ts')).addTranscribeCommand,
  ],
  [
    'say',
    'speaks a text with an offline voice, aloud or into a WAV file',
    async () => (await import('./say-command.ts')).addSayCommand,
  ],
  [
    'listen',
    'receives webhook deliveries on this machine and says of each whether it verifies',
    async () => (await import('./listen-command.ts')).addListenCommand,
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
    if (args.includes(name)) (await load())(command, shell)
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
