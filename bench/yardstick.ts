// The bare Fastify route as a child process, on the database of a running service.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answers, type Child, freePort, type Home, startNode } from './service-process.ts'

const main = fileURLToPath(new URL('./yardstick-bare-fastify.ts', import.meta.url))

// The service's default.
export const databaseConnections = 20

export async function startYardstick(home: Home): Promise<{ child: Child; url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [main, String(port), join(home.dataDir, 'run'), String(databaseConnections)]
  const child = await startNode(args, {}, join(home.dataDir, 'yardstick.log'), () =>
    answers(`${url}/healthz`),
  )
  return { child, url }
}
