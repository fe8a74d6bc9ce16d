// The table of addresses against the operations, both ways.
import { readFile } from 'node:fs/promises'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Address,
  dashboardAddresses,
  fillPath,
  type ParameterOf,
  transcriptAddresses,
  trialAddresses,
  voiceAddresses,
} from './addresses.ts'
import * as contract from './index.ts'
import type { Operation } from './operation.ts'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'path' in value && 'answers' in value

/** Every operation that a module exports, listed or not. */
const operationsOf = (exports: object): Operation[] => Object.values(exports).filter(isOperation)

const interfaces: [string, Record<string, Address>, readonly Operation[]][] = [
  ['Voice AI', voiceAddresses, contract.voiceOperations],
  ['speech-to-text', transcriptAddresses, contract.transcriptOperations],
  ['dashboard', { ...dashboardAddresses, ...trialAddresses }, operationsOf(contract.dashboard)],
]

const rowOf = ({ id, method, path }: Address) => `${id}: ${method} ${path}`

describe.each(interfaces)('the %s interface', (_name, addresses, operations) => {
  it('has an operation at every address', () => {
    const served = operations.map(rowOf)
    expect(Object.values(addresses).filter((address) => !served.includes(rowOf(address)))).toEqual([])
  })

  it('has an address for every operation', () => {
    const listed = Object.values(addresses).map(rowOf)
    expect(operations.map(rowOf).filter((row) => !listed.includes(row))).toEqual([])
  })

  it('has one operation at each method and path', () => {
    const places = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('names in every path the parameters that its operation reads', () => {
    for (const { id, path, params } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params?.shape ?? {}), id).toEqual(inPath)
    }
  })
})

it('leaves no exported operation out of the lists', () => {
  const listed = [...contract.voiceOperations, ...contract.transcriptOperations].map(rowOf)
  expect(operationsOf(contract).map(rowOf).toSorted()).toEqual(listed.toSorted())
})

it('names every operation as it is exported, which is how clients find its types', () => {
  for (const named of [contract, contract.dashboard]) {
    for (const [name, value] of Object.entries(named)) if (isOperation(value)) expect(value.id).toBe(name)
  }
})

it('imports nothing, so that a browser does not load the schemas with it', async () => {
  const source = await readFile(new URL('./addresses.ts', import.meta.url), 'utf8')
  expect(source).not.toMatch(/^\s*(import|export)\b.*\bfrom\b|\bimport\(|\brequire\(/m)
})

describe('filling a path', () => {
  it('puts each parameter in its place, escaped', () => {
    const { path } = voiceAddresses.replayDelivery
    expect(fillPath(path, { id: 'w/1', delivery_id: 'é?' })).toBe(
      '/webhooks/w%2F1/deliveries/%C3%A9%3F/replay',
    )
    expect(fillPath(voiceAddresses.listAgents.path)).toBe('/agents')
  })

  it('refuses an empty parameter, which would lead to the list instead', () => {
    expect(() => fillPath(voiceAddresses.getAgent.path, { id: '' })).toThrow(
      'id is missing: /agents/{id} cannot be called without it.',
    )
  })

  it('knows the names of the parameters when it compiles', () => {
    expectTypeOf<ParameterOf<'/webhooks/{id}/deliveries/{delivery_id}'>>().toEqualTypeOf<
      'id' | 'delivery_id'
    >()
    // @ts-expect-error A parameter is missing.
    expect(() => fillPath(voiceAddresses.getAgent.path)).toThrow(TypeError)
    // @ts-expect-error The parameter has another name.
    expect(() => fillPath(voiceAddresses.getAgent.path, { agent_id: 'x' })).toThrow(TypeError)
  })
})
