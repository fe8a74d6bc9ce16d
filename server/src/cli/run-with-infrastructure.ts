// Runs a command on the database that the environment names, and closes it.
import { Failure } from '../http/failure.ts'
import { type Infrastructure, openInfrastructure } from '../main/infrastructure.ts'
import { readConfig, SettingError } from '../platform/config.ts'
import { openLog } from '../platform/log.ts'

/** What the command returned, or why it was refused. */
export type Outcome = { readonly result: unknown } | { readonly refusal: string }

export async function runWithInfrastructure(
  env: NodeJS.ProcessEnv,
  run: (infrastructure: Infrastructure) => Promise<unknown>,
): Promise<Outcome> {
  try {
    const { log } = openLog({ logLevel: 'silent', logFormat: 'json' }, false)
    const infrastructure = await openInfrastructure(readConfig(env), log)
    try {
      return { result: await run(infrastructure) }
    } finally {
      await infrastructure.close()
    }
  } catch (error) {
    if (error instanceof SettingError) return { refusal: error.message }
    if (!(error instanceof Failure)) throw error
    const faults = error.details.map(({ path, message }) => `${path}: ${message}`)
    return { refusal: faults.join('\n') || error.message }
  }
}
