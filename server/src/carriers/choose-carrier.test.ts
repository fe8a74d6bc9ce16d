// Which carrier dials which number.
import { describe, expect, it } from 'vitest'
import { carrierChooser } from './choose-carrier.ts'

const created = { from: null, number: null, provider: null }
const own = ['+15550100', '+15550199', '+15550000001']
const others = ['+14155552671', '+15551234567', '+1555', 'sip:ada@example.com', 'sip:+15550100@example.com']

describe('without a telephone line', () => {
  it.each(own)('%s is simulated', (to) =>
    expect(carrierChooser('numbers')({ ...created, to })).toEqual({ is: 'dialled', by: 'sandbox' }),
  )

  it.each(others)('%s is refused, and the reason says what to do', (to) =>
    expect(carrierChooser('numbers')({ ...created, to })).toEqual({
      is: 'refused',
      reason: expect.stringContaining('PARLEY_SANDBOX=all'),
    }),
  )

  it.each([...own, ...others])('%s is simulated where every number is', (to) =>
    expect(carrierChooser('all')({ ...created, to })).toEqual({ is: 'dialled', by: 'sandbox' }),
  )

  it.each([...own, ...others])('%s is refused where the sandbox is off', (to) =>
    expect(carrierChooser('off')({ ...created, to })).toEqual({
      is: 'refused',
      reason: expect.stringContaining('the sandbox is off'),
    }),
  )
})

it.each(['numbers', 'off'] as const)(
  'a call that was created for the sandbox is dialled by nobody else when it is set to %s',
  (simulated) => {
    const waiting = { from: null, number: null, provider: 'sandbox', to: '+14155552671' }
    expect(carrierChooser(simulated)(waiting)).toEqual({
      is: 'refused',
      reason: expect.stringContaining('created for the sandbox'),
    })
  },
)
