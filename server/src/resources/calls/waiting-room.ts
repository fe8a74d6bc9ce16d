// Browsers that came with a token, until whoever runs calls has a moment for them.
import type { BrowserLink } from '../../ports/browser-link.ts'
import type { Joining } from './join-call.ts'

export type Joined = { readonly is: 'in'; readonly sessionId: string } | Exclude<Joining, { is: 'claimed' }>

interface Visitor {
  readonly token: string
  readonly browser: BrowserLink
  readonly resolve: (answer: Joined) => void
  readonly reject: (error: unknown) => void
}

export class WaitingRoom {
  private readonly visitors: Visitor[] = []

  enter(token: string, browser: BrowserLink): Promise<Joined> {
    const { promise, resolve, reject } = Promise.withResolvers<Joined>()
    this.visitors.push({ token, browser, resolve, reject })
    return promise
  }

  /** One after the other, those who come meanwhile included. */
  async attend(letIn: (token: string, browser: BrowserLink) => Promise<Joined>): Promise<void> {
    for (let visitor = this.visitors.shift(); visitor; visitor = this.visitors.shift())
      await letIn(visitor.token, visitor.browser).then(visitor.resolve, visitor.reject)
  }
}
