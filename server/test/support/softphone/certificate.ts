// A certificate for SIP over TLS, and a port for it.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** Certificate and key in one file, as softphones want them. */
export async function writeCertificate(folder: string, ip: string): Promise<string> {
  const made = await generate([{ name: 'commonName', value: ip }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }],
  })
  const file = join(folder, 'certificate.pem')
  await writeFile(file, `${made.private}\n${made.cert}`)
  return file
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
