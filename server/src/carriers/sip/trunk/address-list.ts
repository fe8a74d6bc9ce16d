// A list of addresses and networks that an address is looked up in.
import { BlockList, isIPv6 } from 'node:net'

export class AddressList {
  readonly #list = new BlockList()

  /** `entries` are addresses, and networks as in `192.0.2.0/24`. Those that cannot be read are left out. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', length] = entry.split('/')
      try {
        if (length === undefined) this.#list.addAddress(address, familyOf(address))
        else this.#list.addSubnet(address, Number(length), familyOf(address))
      } catch {
        // An entry that is not an address matches nothing.
      }
    }
  }

  has(address: string): boolean {
    return this.#list.check(address, familyOf(address))
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
