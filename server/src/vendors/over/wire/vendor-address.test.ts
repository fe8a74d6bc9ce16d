import { expect, it } from 'vitest'
import { vendorUrl } from './vendor-address.ts'

const own = { scheme: 'wss', host: 'api.example.com', baseUrl: undefined } as const

it('is on the vendor’s own host, without the values that are not given', () => {
  expect(vendorUrl(own, '/v1/listen', { model: 'a b', rate: 8_000, language: undefined })).toBe(
    'wss://api.example.com/v1/listen?model=a+b&rate=8000',
  )
  expect(vendorUrl(own, '/v1/speak')).toBe('wss://api.example.com/v1/speak')
})

it('repeats the name of a list', () => {
  expect(vendorUrl(own, '/', { term: ['one', 'two'], empty: [] })).toBe(
    'wss://api.example.com/?term=one&term=two',
  )
})

it.each([
  ['https://eu.example.com/', 'wss', 'wss://eu.example.com/x'],
  ['https://eu.example.com/proxy', 'https', 'https://eu.example.com/proxy/x'],
  ['http://127.0.0.1:8080', 'wss', 'ws://127.0.0.1:8080/x'],
  ['ws://127.0.0.1:8080', 'https', 'http://127.0.0.1:8080/x'],
] as const)('%s gives sockets and requests alike an address: %s', (baseUrl, scheme, url) => {
  expect(vendorUrl({ scheme, host: 'api.example.com', baseUrl }, '/x')).toBe(url)
})
