// The addresses of a name, from the hosts file and from the name servers of this machine.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

// Two tries of two seconds leave a delivery of 10 s time to connect when the first question is lost.
const patience = { timeout: 2_000, tries: 2 }

/**
 * A name that a stranger gave us. The system's own look-up runs on threads, two at a time for the whole
 * process, and cannot be called off: a few names whose servers never answer would hold up everybody else's.
 */
export async function resolveStranger(name: string, signal: AbortSignal): Promise<readonly string[]> {
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

/** A name that the operator vouches for: search domains and whatever else the system knows. */
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
