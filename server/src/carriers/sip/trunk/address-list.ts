// Addresses and networks, for asking whether one is among them.
import { BlockList, isIPv6 } from 'node:net'

export class AddressList {
  readonly #list = new BlockList()

  /** Addresses, and networks as in `192.0.2.0/24`. What cannot be read is left out. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry)
  }

  has(address: string): boolean {
    return this.#list.check(address, familyOf(address))
  }

  #add(entry: string): void {
    const [address = '', length] = entry.split('/')
    try {
      if (length === undefined) this.#list.addAddress(address, familyOf(address))
      else this.#list.addSubnet(address, Number(length), familyOf(address))
    } catch {
      // Not an address: it matches nothing.
    }
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
