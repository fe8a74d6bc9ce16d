// Which numbers may be called.
import { describe, expect, it } from 'vitest'
import { type DestinationPolicy, mayDial, policyOf } from './destinations.ts'

const everywhere = 'US CA GB DE FR IT ES IN JP AU BR NG JM LV SO CU CH AT'.split(' ')
const open: DestinationPolicy = {
  simulated: false,
  countries: everywhere,
  prefixes: [],
  hosts: ['pbx.example.com'],
  users: ['anna'],
}
const german: DestinationPolicy = { ...open, countries: ['DE'] }

const kindOf = (to: string, policy = open) => {
  const verdict = mayDial(to, policy)
  return verdict.is === 'allowed' ? 'allowed' : verdict.kind
}

describe('numbers that people have', () => {
  it.each([
    ...['+12127363100', '+14165550199', '+442079460018', '+447400123456', '+4930901820', '+491711234567'],
    ...['+33142685300', '+390612345678', '+34912345678', '+919812345678', '+81312345678', '+61412345678'],
    ...['+551123456789', '+2348031234567', '+18769277299', '+41446681800'],
  ])('%s may be called', (to) => expect(kindOf(to)).toBe('allowed'))

  it('also where the called person pays', () => {
    expect(kindOf('+18005551234')).toBe('allowed')
    expect(kindOf('+448081570192')).toBe('allowed')
  })
})

describe('numbers that cost what the called asks for', () => {
  it.each([
    ['+449098790000', 'premium', 'Great Britain 09'],
    ['+448717123456', 'premium', 'Great Britain 0871'],
    ['+447012345678', 'personal', 'Great Britain 070'],
    ['+447640123456', 'pager', 'Great Britain 076'],
    ['+19005551234', 'premium', 'United States 900'],
    ['+499001234567', 'premium', 'Germany 0900'],
    ['+491801234567', 'shared_cost', 'Germany 0180'],
    ['+33899123456', 'premium', 'France 0899'],
    ['+390899123456', 'allowed', 'Italy, Salerno: 089 is no premium rate with a 0 kept'],
    ['+39899123456', 'premium', 'Italy 899'],
    ['+34803123456', 'premium', 'Spain 803'],
    ['+43900123456', 'premium', 'Austria 0900'],
    ['+41900123456', 'premium', 'Switzerland 0900'],
    ['+61190123456', 'unknown', 'Australia 190, which numbers of this length do not have'],
    ['+611900123456', 'premium', 'Australia 1900'],
    ['+551', 'emergency', 'too short for a telephone'],
    ['+97912345678', 'premium', 'international premium rate'],
    ['+80812345678', 'shared_cost', 'international shared cost'],
    ['+87812345678901', 'personal', 'universal personal number'],
  ])('%s is %s: %s', (to, kind) => expect(kindOf(to)).toBe(kind))
})

describe('satellites and networks of no country', () => {
  const numbers = ['+881612345678', '+8823451234', '+88213300655', '+883510012345', '+870773111632']

  it.each(numbers)('%s is refused', (to) => expect(kindOf(to)).toBe('satellite'))

  it.each(numbers)('%s is allowed by a prefix of its own', (to) =>
    expect(kindOf(to, { ...open, prefixes: [to.slice(0, 6)] })).toBe('allowed'),
  )

  it('are not allowed by their code alone, which holds several networks', () =>
    expect(kindOf('+881612345678', { ...open, prefixes: ['+881'] })).toBe('satellite'))
})

describe('ranges that nobody has', () => {
  it.each([
    ...['+15550100', '+12125', '+4915', '+888123456789', '+999123456789', '+2105551234567', '+44999123456'],
    // Latvia and Cuba, as international revenue share fraud uses them: unallocated.
    ...['+37190212345', '+53999999999'],
  ])('%s is refused', (to) => expect(['unknown', 'emergency', 'satellite', 'premium']).toContain(kindOf(to)))

  it('are allowed by their first digits, because tables age', () => {
    expect(kindOf('+15550100', { ...german, prefixes: ['+15550'] })).toBe('allowed')
    expect(kindOf('+15550100', { ...german, prefixes: ['+1'] })).toBe('unknown')
  })
})

describe('emergency numbers', () => {
  it.each([
    ...[
      '+112',
      '+911',
      '+999',
      '+110',
      '+119',
      '+000',
      '+1911',
      '+1988',
      '+49110',
      '+49112',
      '+44999',
      '+44112',
    ],
    ...[
      '+33112',
      '+3315',
      '+3317',
      '+3318',
      '+81110',
      '+81119',
      '+86110',
      '+86120',
      '+91100',
      '+91108',
      '+61000',
    ],
    ...[
      '+64111',
      '+55190',
      '+55192',
      '+27112',
      '+2710111',
      '+2710177',
      '+923112',
      '+921122',
      '+661669',
      '+94199',
      '+941990',
    ],
    ...['+411414', '+4418000', '+391530', '+911098'],
  ])('%s is refused', (to) => expect(kindOf(to)).toBe('emergency'))

  it.each([
    'sip:112@pbx.example.com',
    'sip:911@pbx.example.com',
    'sip:110@pbx.example.com',
    'sip:1%310@pbx.example.com',
  ])('%s is refused', (to) => expect(kindOf(to, german)).toBe('emergency'))

  it('are refused whatever else is allowed, and in simulations', () => {
    expect(kindOf('+2710111', { ...open, prefixes: ['+2710111'] })).toBe('emergency')
    for (const to of ['+49112', '+112', '+1911', '+2710111', 'sip:911@example.com'])
      expect(kindOf(to, { ...open, simulated: true }), to).toBe('emergency')
  })
})

describe('countries', () => {
  it('are those of the workspace’s own numbers unless others are set', () => {
    const own = { ownCountries: ['DE', null], ownHosts: [null], ownUsers: [] }
    expect(policyOf({ ...own, allowed: null })).toMatchObject({ countries: ['DE'], prefixes: [], hosts: [] })
    expect(policyOf({ ...own, allowed: ['FR', '+8816'] })).toMatchObject({
      countries: ['FR'],
      prefixes: ['+8816'],
    })
    expect(policyOf({ allowed: null, ownCountries: null, ownHosts: null, ownUsers: [] })).toMatchObject({
      countries: [],
    })
  })

  it('that share a code are told apart', () => {
    const american = { ...open, countries: ['US'] }
    expect(kindOf('+12127363100', american)).toBe('allowed')
    for (const to of ['+18769277299', '+14165550199', '+18095551234', '+16492311234'])
      expect(kindOf(to, american), to).toBe('country')
    expect(kindOf('+18769277299', { ...american, prefixes: ['+1'] })).toBe('allowed')
  })

  it('are named in the refusal, with the mend', () => {
    expect(mayDial('+18769277299', german)).toEqual({
      is: 'refused',
      kind: 'country',
      message:
        '+18769277299 is in Jamaica, where this workspace may not call. It may call Germany. To allow it, add JM to allowed_destinations of the workspace.',
    })
  })
})

describe('SIP addresses', () => {
  it.each([
    ['sip:ada@pbx.example.com', 'allowed'],
    ['sip:ada@PBX.example.com:5080', 'allowed'],
    ['sip:204@pbx.example.com', 'allowed'],
    ['sips:ada@pbx.example.com', 'allowed'],
    ['sip:ada@elsewhere.example.com', 'address'],
    ['sip:Anna@192.168.1.5:5060', 'allowed'],
    ['sip:ann%61@parley', 'allowed'],
    ['sip:+4930901820@pbx.example.com', 'allowed'],
    ['sip:+449098790000@pbx.example.com', 'premium'],
    ['sip:%2B449098790000@pbx.example.com', 'premium'],
    ['sip:00449098790000@pbx.example.com', 'address'],
    ['sip:0900-123-4567@pbx.example.com', 'address'],
  ])('%s is %s', (to, kind) => expect(kindOf(to)).toBe(kind))
})

it('a simulated call may go anywhere else', () => {
  const simulated = { ...german, simulated: true }
  for (const to of ['+15550100', '+123', '+449098790000', '+881612345678', 'sip:ada@example.com'])
    expect(kindOf(to, simulated)).toBe('allowed')
})
