// A room with telephones: a network namespace with a wire to this machine, on which softphones are started.
//
//   telephones .2 ── .1 this machine
import { openSpace, type Space, sh } from './office.ts'

export interface TelephoneRoom {
  /** This machine, seen from the telephones. */
  readonly host: string
  /** The telephones, seen from this machine. */
  readonly address: string
  readonly space: Space
  close(): Promise<void>
}

/** Requires `canOpenNamespace`. */
export async function openTelephoneRoom(): Promise<TelephoneRoom> {
  const space = await openSpace()
  const wire = `phone${process.pid}`
  const [host, address] = addressesOf(process.pid)
  await sh(`ip link add name ${wire} type veth peer name eth0 netns ${space.pid}
    ip address add ${host}/30 dev ${wire}
    ip link set ${wire} up`)
  await space.sh(`ip link set lo up
    ip address add ${address}/30 dev eth0
    ip link set eth0 up
    ip route add default via ${host}`)
  return {
    host,
    address,
    space,
    async close() {
      await sh(`ip link delete ${wire}`)
      await space.close()
    },
  }
}

/** Four addresses per process from 100.64.0.0/10, which is shared address space. */
function addressesOf(pid: number): [string, string] {
  const first = (pid % 2 ** 20) * 4
  const at = (host: number) =>
    `100.${64 + ((first >> 16) & 63)}.${(first >> 8) & 255}.${(first & 255) + host}`
  return [at(1), at(2)]
}
