// Ports for sound, with real sockets.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { itUnless } from '../../../../test/props/unless.ts'
import { ownPorts } from '../../../../test/support/own-ports.ts'
import { type PortRange, type RtpPort, RtpPorts } from './rtp-ports.ts'

const open: RtpPort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

function range(pairs: number): PortRange {
  const from = ownPorts(2 * pairs)
  return { from, to: from + 2 * pairs - 1 }
}

async function take(ports: RtpPorts): Promise<RtpPort | null> {
  const port = await ports.open()
  if (port) open.push(port)
  return port
}

describe('ports for sound', () => {
  it('are pairs with an even number from the range, until there are none', async () => {
    const { from, to } = range(4)
    const ports = new RtpPorts('127.0.0.1', { from: from + 1, to })
    const taken = [await take(ports), await take(ports), await take(ports)]
    expect(taken.map((port) => port?.port)).toEqual([from + 2, from + 4, from + 6])
    expect(ports.free).toBe(0)
    expect(await take(ports)).toBeNull()
    taken[1]?.close()
    taken[1]?.close()
    expect(ports.free).toBe(1)
    expect((await take(ports))?.port).toBe(from + 4)
  })

  it('rest before they are used again, as long as there are others', async () => {
    const { from, to } = range(3)
    let nowMs = 0
    const ports = new RtpPorts('127.0.0.1', { from, to }, () => nowMs)
    const used: (number | undefined)[] = []
    const useOne = async () => {
      const port = await ports.open()
      used.push(port?.port)
      port?.close()
    }
    await useOne()
    nowMs = 4_000
    await useOne()
    await useOne()
    nowMs = 5_500
    await useOne()
    nowMs = 5_600
    await useOne()
    expect(used).toEqual([from, from + 2, from + 4, from, from + 2])
  })

  it('pass over what another program has', async () => {
    const { from, to } = range(2)
    const other = createSocket('udp4')
    other.bind(from + 1, '127.0.0.1')
    await once(other, 'listening')
    const ports = new RtpPorts('127.0.0.1', { from, to })
    expect((await take(ports))?.port).toBe(from + 2)
    other.close()
  })

  it('cannot be opened at an address of somebody else', async () => {
    await expect(new RtpPorts('192.0.2.77', range(2)).open()).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })

  it('send at once: the bytes may be changed afterwards', async () => {
    const ports = new RtpPorts('127.0.0.1', range(2))
    const [one, two] = [await take(ports), await take(ports)]
    const heard: string[] = []
    two?.rtp.listen((bytes, address, port) => heard.push(`${Buffer.from(bytes)} ${address} ${port}`))
    const bytes = Buffer.from('first')
    one?.rtp.send(bytes, '127.0.0.1', two?.port ?? 0)
    bytes.fill('x')
    await vi.waitFor(() => expect(heard).toEqual([`first 127.0.0.1 ${one?.port}`]))
    one?.close()
    expect(() => one?.rtp.send(bytes, '127.0.0.1', 9)).not.toThrow()
  })

  const hasIpv6 = Object.values(networkInterfaces()).some((one) =>
    one?.some(({ address }) => address === '::1'),
  )
  itUnless(hasIpv6 ? undefined : 'this machine has no IPv6', 'of IPv6 speak IPv4 as well', async () => {
    const wide = new RtpPorts('::', range(1))
    const narrow = new RtpPorts('127.0.0.1', range(1))
    const six = new RtpPorts('::1', range(1))
    const [both, four, pure] = [await take(wide), await take(narrow), await take(six)]
    const heard: string[] = []
    both?.rtp.listen((bytes, address, port) => {
      heard.push(address)
      both.rtp.send(bytes, address, port)
    })
    const answered: string[] = []
    for (const port of [four, pure]) port?.rtp.listen((_, address) => answered.push(address))
    four?.rtp.send(Buffer.from('4'), '127.0.0.1', both?.port ?? 0)
    pure?.rtp.send(Buffer.from('6'), '::1', both?.port ?? 0)
    await vi.waitFor(() => expect(answered.toSorted()).toEqual(['127.0.0.1', '::1']))
    expect(heard.toSorted()).toEqual(['127.0.0.1', '::1'])
  })
})
