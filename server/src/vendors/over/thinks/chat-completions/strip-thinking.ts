// Strips the reasoning that a model writes at the beginning of its answer: `<think>Hm.</think>Yes.` → `Yes.`

const opening = '<think>'
const closing = '</think>'

/** Takes an answer piece by piece; returns the part of it to say. */
export function stripThinking(): (text: string) => string {
  let held = ''
  let stage: 'beginning' | 'thinking' | 'speaking' = 'beginning'
  return (text) => {
    if (stage === 'speaking') return text
    held += text
    const begun = held.trimStart()
    if (stage === 'beginning' && begun.startsWith(opening)) stage = 'thinking'
    if (stage === 'beginning') {
      // It may still become the tag.
      if (opening.startsWith(begun)) return ''
      stage = 'speaking'
      return held
    }
    const end = held.indexOf(closing)
    const rest = end < 0 ? '' : held.slice(end + closing.length).trimStart()
    if (rest) stage = 'speaking'
    return rest
  }
}
