// HTTP over a bare socket, for requests that no client library would send.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  readonly body: any
}

export class RawConnection {
  readonly socket: Socket
  readonly closed: Promise<void>
  #received = Buffer.alloc(0)
  #moved = (): void => {}

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.socket = connect(Number(port), hostname)
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
    this.socket.on('error', () => {})
    this.socket.on('close', () => this.#moved())
    this.socket.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data])
      this.#moved()
    })
  }

  /** Everything but the body. */
  begin(method: string, path: string, headers: Readonly<Record<string, string | number>>): this {
    const lines = Object.entries({ host: 'parley.test', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return this.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  }

  write(data: string | Buffer): this {
    this.socket.write(data)
    return this
  }

  /** The next answer, complete by its Content-Length. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take()
      if (answer) return answer
      if (this.socket.destroyed) throw new Error(`closed after ${this.#received}`)
      await new Promise<void>((resolve) => {
        this.#moved = resolve
      })
    }
  }

  /** What was received beyond the answers taken so far. */
  get rest(): string {
    return this.#received.toString()
  }

  destroy(): void {
    this.socket.destroy()
  }

  #take(): RawAnswer | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...lines] = this.#received.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    )
    const from = end + 4
    const to = from + Number(headers['content-length'] ?? 0)
    if (this.#received.length < to) return undefined
    const text = this.#received.subarray(from, to).toString()
    this.#received = this.#received.subarray(to)
    const body = headers['content-type']?.includes('json') ? JSON.parse(text) : undefined
    return { status: Number(first.split(' ')[1]), headers, text, body }
  }
}
