// The ids and times of all examples. They are the same everywhere, so that one example continues another.

export const exampleIds = {
  agent: '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55',
  call: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
  batch: '0198b1f4-3a77-7c02-b1de-52c9f0e4a813',
  schedule: '0198b1f4-3a79-7f40-9a64-7be1d20c5f36',
  phoneNumber: '0198b1f5-2d41-7a90-8c57-6fe3b20d914a',
  repository: '0198b1f5-8e07-7b3c-a4d1-90c2e5f7136d',
  document: '0198b1f5-a3c9-7f12-8b60-4d7e19a05c28',
  chunk: '0198b1f5-b711-7e4a-9c3f-d206f8b41e97',
  tool: '0198b1f5-7b3c-7e81-9a24-83d0c5f1e6b7',
  pronunciation: '0198b1f5-c8d2-7a57-8e19-2b64f0a3d71c',
  webhook: '0198b1f6-90c4-7d2b-8e35-1c6a4fb7d902',
  delivery: '0198b1f7-16be-7aa1-b7f0-e84d03c95a2d',
  event: '0198b1f7-16b2-7e19-a3c8-4d5b60f1e78a',
  file: '0198b1f2-b0d3-7c86-9f52-a1e7d4083c6b',
  notice: '0198b1f8-5b21-7d44-9a0e-7c31f6d2e850',
  erasure: '0198b1f9-0c6e-7b93-8f14-d20a95e7c3b6',
  transcript: '0198b1f3-02aa-7d10-8a6b-2f1f6a0c9d11',
} as const

export const exampleTimes = {
  created: '2026-01-31T09:30:00.000Z',
  begun: '2026-01-31T09:30:01.200Z',
  ended: '2026-01-31T09:31:12.700Z',
  later: '2026-01-31T09:32:00.000Z',
} as const

/** A page of a list that has only these items. */
export const onePage = <Item>(...data: Item[]) => ({
  data,
  pagination: {
    page: 1,
    limit: 20,
    total: data.length,
    total_pages: 1,
    has_next_page: false,
    has_prev_page: false,
  },
})
