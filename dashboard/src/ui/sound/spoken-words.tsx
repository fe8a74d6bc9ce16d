// Words that play from where they were said, with the one marked that is being heard.
import { Fragment } from 'react'

export interface SpokenWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

interface SpokenWordsProps {
  words: readonly SpokenWord[]
  /** Undefined: something else is being heard. */
  at: number | undefined
  onSeek(seconds: number): void
}

/** The words can be clicked but are no buttons, because the keyboard would have to pass hundreds. The time beside the line is one. */
export function SpokenWords({ words, at, onSeek }: SpokenWordsProps) {
  return words.map(({ word, start, end }, place) => {
    const said = word.trimEnd()
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line never move
      <Fragment key={place}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: see above */}
        <span
          data-heard={(at !== undefined && at >= start && at < end) || undefined}
          onClick={() => onSeek(start)}
          className="cursor-pointer rounded-sm hover:bg-line data-heard:bg-accent data-heard:text-white"
        >
          {said}
        </span>
        {word.slice(said.length)}
      </Fragment>
    )
  })
}
