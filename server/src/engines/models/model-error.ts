// Why a model is unavailable, in one sentence.
export class ModelError extends Error {
  override readonly name = 'ModelError'
}
