// What a chart shows.

export interface Bar {
  readonly name: string
  /** The label below the bar, where there is room for it. */
  readonly tick: string
  /** The address of the list behind the values of the bar. */
  readonly to?: string
  /** The values of the bar, one for each series. */
  readonly values: readonly number[]
}

export interface Series {
  readonly name: string
  /** A pale bar stands behind a full one that is a part of it. */
  readonly isPale?: boolean
  words(value: number): string
}
