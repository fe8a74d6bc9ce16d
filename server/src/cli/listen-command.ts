// `parley listen`: receives webhook deliveries on this machine.
import { type ListenFlags, listen, readListenFlags } from '@parley/sdk/listen'
import type { Command } from 'commander'
import type { Shell } from './shell.ts'

export default function addListenCommand(command: Command, { terminal }: Shell): void {
  command
    .requiredOption('--secret <secret...>', 'what the endpoint was created with, whsec_ included')
    .option('--port <port>', '0 takes any free one', '4000')
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--fail <status>', 'answer this to everything, to see retries')
    .option('--delay <time>', 'wait before answering, as in 3s or 250ms')
    .option('--full', 'show the whole event')
    .addHelpText('after', '\nWith --json, each delivery is one line of JSON. Ctrl-C ends it.')
    .action(async (flags: ListenFlags) => {
      try {
        const options = readListenFlags({ ...flags, json: command.optsWithGlobals().json })
        const { url } = await listen(options, (line) => terminal.stdout.write(`${line}\n`))
        terminal.stderr.write(`Listening on ${url}\n`)
      } catch (error) {
        command.error(error instanceof Error ? error.message : String(error))
      }
    })
}
