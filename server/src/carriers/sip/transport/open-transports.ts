// The sockets that the settings ask for, over IPv4 and IPv6, with sentences for what can be wrong with them.
import { readFile } from 'node:fs/promises'
import { type Config, SettingError } from '../../../platform/config.ts'
import { type OpenSockets, openSockets, type SocketListener, type SocketSettings } from './sockets.ts'

type Settings = NonNullable<Config['sip']>

export async function openTransports(sip: Settings, listener: SocketListener): Promise<OpenSockets> {
  const tls = sip.tls && {
    port: sip.tls.port,
    cert: await readOr(sip.tls.certFile, 'PARLEY_SIP_TLS_CERT'),
    key: await readOr(sip.tls.keyFile, 'PARLEY_SIP_TLS_KEY'),
  }
  try {
    const advertisedHost = sip.address ?? null
    return await openEverywhere({ port: sip.port, tls: tls ?? null, advertisedHost }, listener)
  } catch (error) {
    throw inOurWords(error as NodeJS.ErrnoException, sip)
  }
}

/** Opens a socket for both families, or for IPv4 alone where the machine has no IPv6. */
async function openEverywhere(
  settings: Omit<SocketSettings, 'host'>,
  listener: SocketListener,
): Promise<OpenSockets> {
  try {
    return await openSockets({ ...settings, host: '::' }, listener)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) throw error
    return openSockets({ ...settings, host: '0.0.0.0' }, listener)
  }
}

export const readOr = (file: string, setting: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new SettingError(setting, `is ${file}, which cannot be read (${cause.code}).`, { cause })
  })

function inOurWords(error: NodeJS.ErrnoException & { port?: number }, sip: Settings): Error {
  const isTls = sip.tls !== undefined && error.port === sip.tls.port
  const [setting, port] = isTls ? ['PARLEY_SIP_TLS_PORT', sip.tls?.port] : ['PARLEY_SIP_PORT', sip.port]
  if (error.code === 'EADDRINUSE')
    return new SettingError(setting, `${port} is in use by another program; stop that one or choose another.`)
  if (error.code === 'EACCES')
    return new SettingError(setting, `${port} may not be opened by this user; choose one above 1023.`)
  if (error.code?.startsWith('ERR_SSL') || error.code?.startsWith('ERR_OSSL'))
    return new SettingError(
      'PARLEY_SIP_TLS_CERT',
      `and PARLEY_SIP_TLS_KEY are not a certificate and its key: ${error.message}.`,
    )
  return error
}
