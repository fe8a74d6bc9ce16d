// Drafts that a browser keeps.
import { describe, expect, it } from 'vitest'
import { memory } from '../../test/memory-store.ts'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts'

const place = { workspaceId: 'w', agentId: 'a' }
const draft = (values: object) => ({
  values: values as never,
  basedOn: '2026-01-01T00:00:00Z',
  keptAt: 'now',
})

describe('a kept draft', () => {
  it('comes back for its agent in its workspace, and for no other', () => {
    const store = memory()
    keepDraft(place, draft({ agent_name: 'Ada' }), store)
    expect(keptDraft(place, store)).toEqual(draft({ agent_name: 'Ada' }))
    expect(keptDraft({ ...place, agentId: 'b' }, store)).toBeUndefined()
    expect(keptDraft({ ...place, workspaceId: 'x' }, store)).toBeUndefined()
    forgetDraft(place, store)
    expect(keptDraft(place, store)).toBeUndefined()
  })

  it('has no secret that was typed, but the mask of a stored one', () => {
    const store = memory()
    const keyed = (api_key: string) => draft({ llm_agent: { llm_config: { model: 'm', api_key } } })
    keepDraft(place, keyed('sk-typed-just-now'), store)
    expect([...store.held.values()].join()).not.toContain('typed')
    expect(keptDraft(place, store)?.values).toEqual({ llm_agent: { llm_config: { model: 'm' } } })
    keepDraft(place, keyed('sk-…abcd'), store)
    expect(keptDraft(place, store)).toEqual(keyed('sk-…abcd'))
  })

  it('is nothing where something else was stored, and where nothing can be', () => {
    const store = memory()
    store.setItem('parley.draft.w.a', '[1')
    expect(keptDraft(place, store)).toBeUndefined()
    const full = {
      ...store,
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => keepDraft(place, draft({}), full)).not.toThrow()
  })
})
