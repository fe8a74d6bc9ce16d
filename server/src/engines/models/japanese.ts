// The pinned dictionary of Japanese words: mecab-ipadic, as the npm package kuromoji carries it.
import type { Model } from './catalogue.ts'

export const japaneseDictionary = {
  name: 'japanese-dictionary',
  package: 'kuromoji',
  version: '0.1.2',
  tarballBytes: 21_834_991,
  files: {
    base: {
      inTarball: 'dict/base.dat.gz',
      bytes: 3_956_825,
      sha256: '0803327762e1c93ca731e4319ab8343340f2806bb84941207782cde9d2d5a8eb',
    },
    check: {
      inTarball: 'dict/check.dat.gz',
      bytes: 3_111_633,
      sha256: '193ae0035fff6fe812b58d9ee730e7a7d7ee601d918481ce51075c58114f6cc9',
    },
    words: {
      inTarball: 'dict/tid.dat.gz',
      bytes: 1_605_820,
      sha256: 'd43d831cb6fb0f0a411739cd287a6d5e998e121a8daca614df14a81a0dcac586',
    },
    features: {
      inTarball: 'dict/tid_pos.dat.gz',
      bytes: 5_916_009,
      sha256: '60dbfc99a6ab993f30c5dab648bec6ad7f9aaefa5c14e1843837d95e509f8895',
    },
    entries: {
      inTarball: 'dict/tid_map.dat.gz',
      bytes: 1_485_576,
      sha256: '33efd5ffd87a70f669add093fa39dee44341d58f940844ef107c8fd98bb795b2',
    },
    costs: {
      inTarball: 'dict/cc.dat.gz',
      bytes: 1_692_067,
      sha256: '02b7631be0d4de3a1a75cd9f9cc51536e4f94c9e6b389b813e06ba0f6e7de765',
    },
  },
} as const satisfies Model
