// A loopback server with a certificate in front, for libraries that insist on TLS.
import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'

export interface TlsFront {
  /** As in `localhost:4711`. */
  readonly host: string
  close(): void
}

export async function behindTls({ baseUrl }: { readonly baseUrl: string }): Promise<TlsFront> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  const front = createServer({ key, cert }, (socket) => {
    const behind = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    socket.on('error', () => behind.destroy())
    behind.on('error', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((ready) => front.listen(0, ready))
  return {
    host: `localhost:${(front.address() as AddressInfo).port}`,
    close() {
      setDefaultCACertificates(trusted)
      front.close()
    },
  }
}
