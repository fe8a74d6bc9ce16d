// Loads the offline engines of the agents that are called most, before anybody calls, as far as there is memory.
import type { EmbeddedEngines } from '../../engines/engines.ts'
import type { Log } from '../../platform/log.ts'
import type { ExpectedSpeech } from '../../resources/calls/work.ts'

// The largest engine takes half of it; the rest is for the calls themselves, and for the machine.
const leastFreeBytes = 1024 ** 3

type Engines = Pick<EmbeddedEngines, 'load' | 'transcriberFor' | 'troubleWith' | 'voices'>

/** One agent after the other: calls that come in meanwhile have the other cores. */
export async function loadExpected(
  engines: Engines,
  expected: readonly ExpectedSpeech[],
  log: Pick<Log, 'info'>,
  freeBytes = () => process.availableMemory(),
): Promise<void> {
  await engines.voices.ready
  const loaded = new Set<string>()
  for (const agent of expected) {
    const needed = neededBy(engines, agent)
    const key = `${needed.used} ${needed.voice}`
    if (loaded.has(key)) continue
    if (freeBytes() < leastFreeBytes) {
      log.info({ free_bytes: freeBytes() }, 'not all engines of active agents are loaded: there is no memory')
      return
    }
    loaded.add(key)
    await engines.load(needed)
  }
}

/** Without those whose weights would have to be fetched first. */
function neededBy(engines: Engines, { transcriber, synthesizer }: ExpectedSpeech) {
  const hears =
    transcriber && !engines.troubleWith('transcriber', transcriber.language)
      ? engines.transcriberFor(transcriber.language, transcriber.asked)
      : undefined
  const voice =
    synthesizer && !engines.troubleWith('synthesizer', synthesizer.language)
      ? engines.voices.pick(synthesizer)
      : undefined
  return { used: hears?.used, transcriber: hears?.transcriber, voice }
}
