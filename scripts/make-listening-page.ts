// Makes a page with ten sentences by each offline voice, for listening: node scripts/make-listening-page.ts [folder].
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openVoiceSamples } from '../server/src/adapters/embedded/voice/voice-samples.ts'

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

const page = (rows: readonly string[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The voices of Parley</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem}td,th{padding:.3rem .6rem;text-align:left}</style>
</head><body><h1>The voices of Parley</h1><table>
${rows.join('\n')}
</table></body></html>
`

async function main([given]: string[]): Promise<void> {
  const folder = given ?? fileURLToPath(new URL('../docs/listening/', import.meta.url))
  const modelsFolder = process.env.PARLEY_MODELS_DIR ?? join(homedir(), '.cache', 'parley-models')
  await mkdir(folder, { recursive: true })
  const samples = openVoiceSamples({ modelsFolder, engine: 'wren' })
  const rows: string[] = []
  try {
    for (const voice of await samples.voices()) {
      rows.push(`<tr><th colspan="2">${voice.name} (${voice.gender}, ${voice.engine})</th></tr>`)
      for (const [place, text] of sentences.entries()) {
        const file = `${voice.name}-${place + 1}.wav`
        await writeFile(join(folder, file), await samples.say(text, voice))
        rows.push(`<tr><td>${text}</td><td><audio controls preload="none" src="${file}"></audio></td></tr>`)
      }
      console.log(`${voice.name}: ${sentences.length} sentences`)
    }
    await writeFile(join(folder, 'index.html'), page(rows))
    console.log(`Open ${join(folder, 'index.html')}`)
  } finally {
    await samples.close()
  }
}

await main(process.argv.slice(2))
