// Collects the garbage of all threads of another Node process, over its debugger, so that what is left of its memory is in use.
import { setTimeout as sleep } from 'node:timers/promises'

/** The option with which that process has to be started: its debugger opens at this port when it is asked for (SIGUSR1). */
export const debuggedAt = (port: number): string => `--inspect-port=127.0.0.1:${port}`

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly sessionId?: string; readonly message?: string }
}

const pollMs = 50
const mostPolls = 600
// How long a thread is waited for: one that sleeps until it is woken, as the ticker does, never answers, and has nothing to collect.
const patienceMs = 5_000
// Collections in a row: the first frees what only garbage referred to, and unused code is dropped after several. V8 itself collects
// up to seven times before it takes a snapshot.
const times = 7

export async function collectGarbage(pid: number, port: number): Promise<void> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await addressOf(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const answered = new Map<number, () => void>()
  const threads: string[] = []
  const receive = ({ id, method, params }: Answer) => {
    if (id !== undefined) answered.get(id)?.()
    if (method === 'NodeWorker.attachedToWorker' && params?.sessionId) threads.push(params.sessionId)
    if (method === 'NodeWorker.receivedMessageFromWorker' && params?.message)
      receive(JSON.parse(params.message))
  }
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data))))
  let asked = 0
  const ask = (send: (id: number) => object): Promise<void> =>
    new Promise((resolve) => {
      const id = ++asked
      answered.set(id, resolve)
      socket.send(JSON.stringify(send(id)))
    })
  const inMain = (method: string, params = {}) => ask((id) => ({ id, method, params }))
  const inThread = (sessionId: string, method: string) =>
    ask((id) => ({
      id: ++asked,
      method: 'NodeWorker.sendMessageToWorker',
      params: { sessionId, message: JSON.stringify({ id, method }) },
    }))
  try {
    await inMain('NodeWorker.enable', { waitForDebuggerOnStart: false })
    for (let time = 0; time < times; time++) {
      await inMain('HeapProfiler.collectGarbage')
      const collected = threads.map((thread) => inThread(thread, 'HeapProfiler.collectGarbage'))
      await Promise.race([Promise.all(collected), sleep(patienceMs)])
    }
    await inMain('NodeWorker.disable')
  } finally {
    socket.close()
  }
}

async function addressOf(port: number): Promise<string> {
  for (let polls = 0; polls < mostPolls; polls++) {
    const listed = await fetch(`http://127.0.0.1:${port}/json`).then(
      async (answer) => (await answer.json()) as { webSocketDebuggerUrl: string }[],
      () => [],
    )
    if (listed[0]) return listed[0].webSocketDebuggerUrl
    await sleep(pollMs)
  }
  throw new Error(`the process has opened no debugger at port ${port}`)
}
