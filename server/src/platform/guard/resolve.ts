// Resolves names from the hosts file and this machine's name servers.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

// Two tries of two seconds leave a 10 s delivery time to connect if the first query is lost.
const patience = { timeout: 2_000, tries: 2 }

/**
 * Resolves names given by users. The system's resolver, which runs on two threads for the whole process and cannot be
 * cancelled, is not used: a few names whose servers never answer would block all others.
 */
export async function resolveUntrusted(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const listed = await inHostsFile(name)
  if (listed.length > 0) return listed
  signal.throwIfAborted()
  const resolver = new Resolver(patience)
  const stop = () => resolver.cancel()
  signal.addEventListener('abort', stop)
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
    return addresses
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Resolves names configured by the operator, with search domains and everything else the system knows. */
export async function resolveTrusted(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

async function inHostsFile(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return address && names.some((listed) => listed.toLowerCase() === name) ? [address] : []
  })
}
