// Makes a page with ten sentences by each voice of wren, for listening:
// node scripts/make-listening-page.ts [folder] [--sentences 3].
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openVoiceSamples } from '../server/src/engines/voice/voice-samples.ts'
import type { VoiceDescription } from '../server/src/ports/synthesizer.ts'

const sentences = [
  'Hello, this is Maple Dental. How can I help you?',
  'Your appointment is on Tuesday, the ninth of June, at a quarter past ten.',
  'I’m sorry, we don’t have a table for two tonight. Would tomorrow suit you?',
  'The total comes to $148.50, and you can pay by card.',
  'Could you spell your last name for me, please?',
  'Your number is 555 0142, is that right?',
  'One moment, I’ll look that up for you.',
  'We are open from Monday to Friday, between nine in the morning and six in the evening.',
  'Great! I have booked it, and you’ll get an e-mail in a minute.',
  'Thank you very much for calling. Goodbye!',
]

const fileOf = (voice: VoiceDescription, place: number) => `${voice.name}-${place + 1}.wav`

const player = (voice: VoiceDescription, text: string, place: number) =>
  `<td><audio controls preload="none" aria-label="${voice.name}: ${text}" src="${fileOf(voice, place)}"></audio></td>`

/** A row for each sentence, a column for each voice: the same words can be compared. */
const page = (voices: readonly VoiceDescription[], texts: readonly string[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The voices of Parley</title>
<style>
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:80rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.5rem;text-align:left;border-bottom:1px solid #8884;vertical-align:middle}
th[scope=row]{font-weight:400;min-width:16rem}
small{display:block;font-weight:400;opacity:.7}
audio{width:11rem;height:2.2rem;display:block}
</style></head><body>
<h1>The voices of Parley</h1>
<p>One plays at a time.</p>
<table><thead><tr><td></td>${voices
  .map((voice) => `<th scope="col">${voice.name}<small>${voice.gender}</small></th>`)
  .join('')}</tr></thead><tbody>
${texts
  .map(
    (text, place) =>
      `<tr><th scope="row">${text}</th>${voices.map((voice) => player(voice, text, place)).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>
<script>
document.addEventListener('play', ({ target }) => {
  for (const other of document.querySelectorAll('audio')) if (other !== target) other.pause()
}, true)
</script></body></html>
`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { sentences: { type: 'string', default: `${sentences.length}` } },
  })
  const texts = sentences.slice(0, Number(values.sentences))
  const folder = positionals[0] ?? fileURLToPath(new URL('../docs/listening/', import.meta.url))
  const modelsFolder = process.env.PARLEY_MODELS_DIR ?? join(homedir(), '.cache', 'parley-models')
  await mkdir(folder, { recursive: true })
  const samples = openVoiceSamples({ modelsFolder, engine: 'wren' })
  try {
    const voices = (await samples.voices()).filter(({ engine }) => engine === 'wren')
    for (const voice of voices) {
      for (const [place, text] of texts.entries())
        await writeFile(join(folder, fileOf(voice, place)), await samples.say(text, voice))
      console.log(`${voice.name}: ${texts.length} sentences`)
    }
    await writeFile(join(folder, 'index.html'), page(voices, texts))
    console.log(`Open ${join(folder, 'index.html')}`)
  } finally {
    await samples.close()
  }
}

await main()
