import { describe, expect, it } from 'vitest'
import { checkReferences, type ReferenceKind } from './references.ts'

const [ours, strange] = ['11111111-aaaa-4111-8111-111111111111', '22222222-bbbb-4222-8222-222222222222']

const asked: { workspaceId: string; ids: readonly string[] }[] = []
const kindOf = (field: ReferenceKind['field'], name: string): ReferenceKind => ({
  field,
  name,
  async existing(workspaceId, ids) {
    asked.push({ workspaceId, ids })
    return new Set(workspaceId === 'ours' ? [ours] : [])
  },
})
const kinds = [kindOf('repository_ids', 'repository'), kindOf('phone_number_id', 'phone number')]

const refusalOf = (config: object, workspaceId = 'ours') =>
  checkReferences(kinds, workspaceId, config).then(
    () => 'accepted',
    ({ code, details }) => ({ code, details }),
  )

describe('references to a resource that is there', () => {
  it('are accepted if they exist, in any case', async () => {
    expect(await refusalOf({ repository_ids: [ours, ours.toUpperCase()], phone_number_id: ours })).toBe(
      'accepted',
    )
  })

  it('are refused by path if they do not', async () => {
    expect(await refusalOf({ repository_ids: [ours, strange], phone_number_id: strange })).toEqual({
      code: 'VALIDATION_ERROR',
      details: [
        { path: 'agent_config.repository_ids.1', message: 'There is no repository with this id.' },
        { path: 'agent_config.phone_number_id', message: 'There is no phone number with this id.' },
      ],
    })
  })

  it('are refused if they belong to another workspace', async () => {
    expect(await refusalOf({ repository_ids: [ours] }, 'theirs')).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('are not looked up where nothing is written', async () => {
    asked.splice(0)
    expect(await refusalOf({ repository_ids: [], agent_name: 'Ada' })).toBe('accepted')
    expect(asked).toEqual([])
  })
})

it('references to a resource that is not there are accepted', async () => {
  expect(await refusalOf({ tool_definition_ids: [strange] })).toBe('accepted')
})
