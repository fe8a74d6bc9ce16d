// Who makes a request, for records of who has changed something.

export interface Author {
  readonly type: 'key' | 'user' | 'operator'
  /** The id of the API key or the user; null: the command line. */
  readonly id: string | null
}

export const operator: Author = { type: 'operator', id: null }
