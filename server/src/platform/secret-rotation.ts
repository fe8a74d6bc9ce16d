// The secret of this process, the one that its installation seals with, and the way from one to the next.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, SettingError } from './config.ts'
import type { Subscription } from './db/db.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Log } from './log.ts'
import { forgetPreviousSecret, readOwnSecrets, replaceOwnSecret } from './own-secret.ts'
import { Refusal } from './refusal.ts'
import { countUnsealed, type ResealProgress, type ResealReport, reseal, type SealedColumn } from './reseal.ts'
import { beginRotation, claimSealing, endRotation, followSealing, readSealing } from './sealing.ts'
import { openVault, type Vault } from './secrets.ts'

type Parts = Pick<Infrastructure, 'config' | 'db' | 'vault'>

export async function openVaultOf(config: Config): Promise<Vault> {
  const { secret, previous } = await secretsOf(config)
  return openVault(secret, previous)
}

async function secretsOf({ secret, previousSecret, dataDir }: Config) {
  const given = previousSecret ? [previousSecret] : []
  if (secret) return { secret, previous: given }
  const own = await readOwnSecrets(dataDir)
  return { secret: own.secret, previous: [...given, ...own.previous] }
}

/** Refuses to start with a secret that would leave something unreadable. */
export async function agreeOnSecret({ config, db, vault }: Parts, log: Log): Promise<void> {
  const state = await claimSealing(db, vault)
  if (!vault.knows(state.fingerprint))
    throw new SettingError(
      'PARLEY_SECRET',
      'is not the one this database was made with; what it holds could not be read. To change it, give the former one as PARLEY_SECRET_PREVIOUS and run `parley secret rotate`.',
    )
  if (state.previous && !vault.knows(state.previous))
    throw new SettingError(
      'PARLEY_SECRET_PREVIOUS',
      'is needed until `parley secret rotate` has finished: something is still sealed with it.',
    )
  vault.sealWith(state)
  if (config.secret && !state.fingerprint.equals(vault.fingerprint))
    log.warn('PARLEY_SECRET is new and not in use yet: run `parley secret rotate` when every process has it')
}

/** Changes over to another secret while the process runs. */
export const followRotation = ({ config, db, vault }: Parts, log: Log): Promise<Subscription> =>
  followSealing(db, vault, async (fingerprint) => {
    // The secret may have been made by `parley secret rotate` while this process runs.
    if (!config.secret) vault.learn((await readOwnSecrets(config.dataDir)).secret)
    const isKnown = vault.knows(fingerprint)
    if (!isKnown)
      log.error(
        'the secret is being rotated to one that this process does not have: restart it with the new PARLEY_SECRET, and the former one as PARLEY_SECRET_PREVIOUS',
      )
    return isKnown
  })

export interface RotationOptions {
  readonly sealedColumns: readonly SealedColumn[]
  onProgress?(progress: ResealProgress): void
  /** How long a process may take to notice that another secret is in use. */
  readonly settleMs?: number
}

// Notices take milliseconds; this is for a process that is just reconnecting.
const usualSettleMs = 5_000

/** Moves everything to the new secret, or goes on with it. Undefined: there is nothing to do. */
export async function rotateSecret(
  { config, db, vault }: Parts,
  { sealedColumns, onProgress, settleMs = usualSettleMs }: RotationOptions,
): Promise<ResealReport | undefined> {
  const begun = await beginRotation(db, vault, async ({ fingerprint }) => {
    const isNew = !fingerprint.equals(vault.fingerprint)
    return isNew || config.secret ? vault.fingerprint : vault.learn(await replaceOwnSecret(config.dataDir))
  })
  if (!begun) return undefined
  const state = await claimSealing(db, vault)
  vault.sealWith(state)
  let { done, unreadable } = await reseal(db, vault, sealedColumns, onProgress)
  // Processes that had not noticed yet may have sealed values with the old secret meanwhile.
  for (let late = 1; late > 0; done += late) {
    await sleep(settleMs)
    const again = await reseal(db, vault, sealedColumns)
    late = again.done
    unreadable = again.unreadable
  }
  await endRotation(db)
  return { done, unreadable }
}

export async function secretStatus({ db, vault }: Parts, sealedColumns: readonly SealedColumn[]) {
  const state = await claimSealing(db, vault)
  const counts = await countUnsealed(db, vault, sealedColumns)
  return {
    fingerprint: shortFingerprint(state.fingerprint),
    keys: state.perWorkspace ? 'one for each workspace' : 'one for all workspaces',
    rotation: state.previous ? 'not finished' : 'none',
    next: state.fingerprint.equals(vault.fingerprint) ? null : shortFingerprint(vault.fingerprint),
    left: Object.fromEntries(counts.flatMap(({ table, values }) => (values > 0 ? [[table, values]] : []))),
  }
}

/** Removes the previous secret of our own, which is then no longer accepted. */
export async function forgetSecret({ config, db }: Omit<Parts, 'vault'>): Promise<void> {
  if ((await readSealing(db))?.previous)
    throw new Refusal('The previous secret is still needed: run `parley secret rotate` to its end first.')
  await forgetPreviousSecret(config.dataDir)
}

/** The first digits of a fingerprint, enough to tell secrets apart. */
export const shortFingerprint = (fingerprint: Buffer): string => fingerprint.toString('hex', 0, 8)
