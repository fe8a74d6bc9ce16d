// The variables that an agent's texts name.
import { systemVariables as ofTheService } from '@parley/contract'
import { expect, it } from 'vitest'
import { asked, systemVariables, variablesOf } from './variables.ts'

const config = {
  agent_welcome_message: 'Hello {name}, it is {current_date}.',
  agent_prompt: 'You call {name} about {order_state}. {"json": 1} { spaced } {fact_seat}',
  task_config: { check_user_online_message: 'Are you there, {name}?' },
  api_tools: {
    tools: [{ url: 'https://x/{order}' }],
    telephone: { voicemail: { message: 'Call {office} back.' } },
  },
}

it('are found in every text, once, with where their values come from', () => {
  expect(variablesOf(config, ['order_state']).map(({ name, from }) => `${name}: ${from}`)).toEqual([
    'name: call',
    'current_date: system',
    'order_state: tool',
    'fact_seat: memory',
    'office: call',
  ])
})

it('are asked for where nobody else fills them', () => {
  expect(asked(variablesOf(config)).map(({ name }) => name)).toEqual(['name', 'order_state', 'office'])
})

it('of the service are the ones that it fills', () => {
  expect(Object.keys(systemVariables).toSorted()).toEqual([...ofTheService].toSorted())
})
