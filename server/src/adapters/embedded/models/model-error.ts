// Why a model cannot be had, in one sentence.
export class ModelError extends Error {
  override readonly name = 'ModelError'
}
