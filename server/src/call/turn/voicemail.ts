// Whether an answering machine has picked up.

// Phrases found in nearly every such greeting and seldom said by people who pick up.
const phrases = [
  // Excludes a person who offers to leave one: "may I leave a message".
  /(?<!\b(?:i|me|i'll|i'd|like to|want to|wanted to|need to|wish to|trying to)(?: just| please)? )\bleave (?:me |us )?(?:a|your) (?:brief |short |detailed )?(?:message|name)\b/,
  /\b(?:after|at) the (?:tone|beep)\b/,
  /\brecord your message\b/,
  /\b(?:voice ?mail|mail ?box|answering machine)\b/,
  /\b(?:can't|cannot|can not|unable to) (?:come to|take|answer)\b.*\b(?:phone|call)\b/,
  /\b(?:you have|you've) reached\b.*\b(?:not available|unavailable|away|message)\b/,
  /\b(?:person|party|customer|subscriber|number) you(?: are|'re| have|'ve)? (?:trying|calling|dialed|called)\b/,
]

// Machines speak at once; later a person may well talk about voicemail.
const greetingMs = 30_000
const greetingTurns = 2

export const mayBeMachine = (sinceAnswerMs: number, turnsTaken: number): boolean =>
  sinceAnswerMs <= greetingMs && turnsTaken <= greetingTurns

export const soundsLikeMachine = (words: string): boolean => {
  const plain = words.toLowerCase().replaceAll('’', "'")
  return phrases.some((phrase) => phrase.test(plain))
}
