// The file of PARLEY_STIR_ANCHORS, and what is said of one that does not fit.
import { afterAll, expect, it } from 'vitest'
import { Authorities } from '../../../../test/props/sip/stir.ts'
import { readAnchors } from './stir-certificates.ts'

const authorities = new Authorities()
afterAll(() => authorities.close())
const { file } = authorities.root()

it('anchors are the certificates of a file', async () => {
  const [anchor, ...others] = await readAnchors(`${file}.pem`)
  expect([anchor?.ca, others]).toEqual([true, []])
})

it.each([
  ['has none', `${file}.key`, 'which has no certificates in PEM.'],
  ['is not there', `${file}.gone`, 'which cannot be read (ENOENT).'],
])('a file that %s is named at the start', async (_, wrong, fault) =>
  expect(readAnchors(wrong)).rejects.toThrow(`PARLEY_STIR_ANCHORS is ${wrong}, ${fault}`),
)
