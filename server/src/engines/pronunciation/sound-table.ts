// Tables of sounds in the form that is easiest to read: 'chat ʃa, chien ʃjɛ̃'.

export const soundTable = (listed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listed
      .split(',')
      .map((pair) => pair.trim().split(/\s+/))
      .filter((pair): pair is [string, string] => pair.length === 2),
  )
