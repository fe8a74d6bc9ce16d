// Whitens a vector and scales it to unit length, so that a dot product is a cosine similarity.
import { KaldiFile } from './kaldi-file.ts'

/** `mean` is a vector in Kaldi's text format: ` [ 4.45 4.67 … ]`. */
export function whitening(
  transformFile: Buffer,
  mean: string,
): (vector: Float32Array) => Float32Array<ArrayBuffer> {
  const { rows, columns, values } = new KaldiFile(transformFile).matrix()
  const middle = (mean.match(/[^\s[\]]+/g) ?? []).map(Number)
  return (vector) => {
    const turned = new Float32Array(rows)
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let i = 0; i < columns; i++)
        sum += (values[row * columns + i] as number) * ((vector[i] as number) - (middle[i] as number))
      turned[row] = sum
    }
    const length = Math.hypot(...turned)
    return turned.map((value) => value / length)
  }
}
