// Why a command of the operator is not carried out, in words for them.
export class Refusal extends Error {}

/** Why a path cannot be read; an error that is not about the path stays as it is. */
export function unreadable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  const why = code && reasons[code]
  return why ? new Refusal(`${path} ${why}`, { cause: error }) : error
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist.',
  ENOTDIR: 'does not exist: a part of its path is not a folder.',
  EISDIR: 'is a folder, not a file.',
  EACCES: 'may not be read by this user.',
  EPERM: 'may not be read by this user.',
}
