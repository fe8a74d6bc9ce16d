// What a chart shows.

export interface Bar {
  readonly name: string
  /** Below the bar, where there is room for it. */
  readonly tick: string
  /** The list behind its values. */
  readonly to?: string
  /** One for each series. */
  readonly values: readonly number[]
}

export interface Series {
  readonly name: string
  /** A pale bar stands behind a full one that is a part of it. */
  readonly isPale?: boolean
  words(value: number): string
}
