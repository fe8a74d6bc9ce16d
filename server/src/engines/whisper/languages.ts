// Whisper's languages, in the order of their tokens.
export const whisperLanguages: readonly string[] = [
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr',
  'bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn',
  'yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su',
].flatMap((line) => line.split(' '))

const firstToken = 50_259

export const languageToken = (language: string): number | undefined => {
  const place = whisperLanguages.indexOf(language)
  return place < 0 ? undefined : firstToken + place
}

export const languageTokens = { from: firstToken, to: firstToken + whisperLanguages.length } as const

/** Whether the language separates words with spaces. */
export const isSpaced = (language: string): boolean =>
  !['zh', 'ja', 'th', 'lo', 'my', 'km', 'bo'].includes(language)
