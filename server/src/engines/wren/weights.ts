// The weights of wren, which are part of the repository: where they are, and what they must be.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../../assets/wren/', import.meta.url)

const sums = {
  'front.onnx': '83f3bd285d5c4070ea6d212313a329e7689fa4ff3afbbb5068e6cf9fb79a49e7',
  'wave.onnx': 'f345540521c487aabec8856c6202df7683f39a97e40b0418ef6a379b63699b04',
  'voice.json': '02e6f4f2819435d121ebc068dc13064d6e72d962c0e7c305d046f68a56a14942',
} as const

/** Damaged weights would speak noise, or crash the native library. */
export async function readWeights(file: keyof typeof sums, from = folder): Promise<Buffer> {
  const path = fileURLToPath(new URL(file, from))
  const bytes = await readFile(path)
  if (createHash('sha256').update(bytes).digest('hex') !== sums[file])
    throw new Error(`${path} is damaged; git restore brings it back`)
  return bytes
}
