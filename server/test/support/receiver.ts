// A webhook receiver on loopback that records requests and answers from a script.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedDelivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

export interface Receiver {
  readonly url: string
  readonly received: ReceivedDelivery[]
  /**
   * The statuses of the next answers; 200 when there are no more. 0 hangs up, -1 never answers, -200 answers 200 and
   * never ends its body.
   */
  readonly answers: number[]
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedDelivery[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ path: request.url ?? '', headers: request.headers, body, atMs: Date.now() })
      const status = answers.shift() ?? 200
      if (status === 0) request.socket.destroy()
      else if (status < -1) response.writeHead(-status).write('never ends')
      else if (status > 0)
        response
          .writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {})
          .end(status >= 500 ? 'out of order' : '')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
