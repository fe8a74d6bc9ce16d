// Runs a command on the database that the environment names, and closes it.
import { Failure } from '../http/failure.ts'
import { openInfrastructure } from '../main/infrastructure.ts'
import { type Config, readConfig, SettingError } from '../platform/config.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { openLog } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'

/** What the command returned, or why it was refused. */
export type Outcome = { readonly result: unknown } | { readonly refusal: string }

export const runWithInfrastructure = (
  env: NodeJS.ProcessEnv,
  run: (infrastructure: Infrastructure) => Promise<unknown>,
): Promise<Outcome> =>
  runWithConfig(env, async (config) => {
    const { log } = openLog({ logLevel: 'silent', logFormat: 'json' }, false)
    const infrastructure = await openInfrastructure(config, log)
    try {
      return await run(infrastructure)
    } finally {
      await infrastructure.close()
    }
  })

/** For commands that open the database by themselves, or need none. */
export async function runWithConfig(
  env: NodeJS.ProcessEnv,
  run: (config: Config) => Promise<unknown>,
): Promise<Outcome> {
  try {
    return { result: await run(readConfig(env)) }
  } catch (error) {
    if (error instanceof SettingError || error instanceof Refusal) return { refusal: error.message }
    if (!(error instanceof Failure)) throw error
    return { refusal: whyRefused(error) }
  }
}

/** Returns what exactly is wrong, where that is known. */
export function whyRefused({ details, message }: Failure): string {
  const faults = details.map((fault) => `${fault.path}: ${fault.message}`)
  return faults.join('\n') || message
}
