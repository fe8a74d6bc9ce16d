import { expect, it } from 'vitest'
import { isAboutAccount, refusalReason } from './vendor-failure.ts'

it.each([
  ['{"error":  "bad key sk-1"}', { apiKey: 'sk-1' }, ': bad key …'],
  ['{"type":"invalid","error":{"code":7,"message":"No  credits."}}', {}, ': No credits.'],
  [
    '{"err_code":"INVALID_AUTH","err_msg":"Invalid credentials.","request_id":"r-1"}',
    {},
    ': Invalid credentials.',
  ],
  ['{"detail":[{"loc":["model"],"message":"unknown"}]}', {}, ': unknown'],
  ['{"code": 7}', {}, ': {"code": 7}'],
  ['no such voice', { apiKey: 'sk-1', region: '' }, ': no such voice'],
  [' \n', { apiKey: 'sk-1' }, '.'],
  ['x'.repeat(500), {}, `: ${'x'.repeat(200)}`],
])('%j becomes the end of a sentence without credentials', (body, credentials, reason) => {
  expect(refusalReason(body, credentials as Record<string, string>)).toBe(reason)
})

it.each([
  [401, true],
  [402, true],
  [403, true],
  [400, false],
  [404, false],
  [429, false],
  [503, false],
  [undefined, false],
])('a vendor that answers %s is done with: %s', (status, isDone) => {
  expect(isAboutAccount(status)).toBe(isDone)
})
