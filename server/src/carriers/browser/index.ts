// The browser as a carrier: it never dials; people join from a page.
import type { CarrierDescription } from '../description.ts'
import { openBrowserDoor } from './door.ts'
import { browserAbilities, openBrowserLine } from './line.ts'
import { type BrowserLink, refuseLink } from './link.ts'
import { openPeers } from './peers.ts'

export interface BrowserDoorParts {
  /** The path of the WebSocket for browsers. */
  readonly linePath: string
  /** Other origins whose pages may connect. */
  readonly origins: readonly string[]
}

export const browser: CarrierDescription<'browser', unknown, BrowserDoorParts> = {
  name: 'browser',
  can: browserAbilities,
  open({ ticker, log, warm }) {
    const peers = openPeers(log)
    if (warm) peers.warm()
    return {
      answer: ({ sessionId, payload }, listener) =>
        openBrowserLine(payload as BrowserLink, sessionId, listener, { peers, ticker }),
      refuse: (payload, reason) => refuseLink(payload as BrowserLink, reason),
      close: () => peers.close(),
    }
  },
  openDoor: ({ upgrades, linePath, origins, log, admit }) =>
    openBrowserDoor(upgrades, { path: linePath, origins, log, admit }),
}
