// Fetches the embedded engines' weights into the cache: node scripts/fetch-models.ts [set] [folder].
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type FetchProgress, fetchModel, hasModel } from '../server/src/engines/models/fetch-model.ts'
import { modelSets } from '../server/src/engines/models/sets.ts'

const barCells = 30
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

function draw({ model, doneBytes, totalBytes }: FetchProgress): void {
  const share = doneBytes / totalBytes
  const full = Math.round(share * barCells)
  const bar = '█'.repeat(full) + '░'.repeat(barCells - full)
  const percent = String(Math.floor(share * 100)).padStart(3)
  process.stdout.write(
    `\r${model.padEnd(13)} ${bar} ${percent} %  ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`,
  )
}

async function main([set = 'all', given]: string[]): Promise<number> {
  if (!Object.hasOwn(modelSets, set)) {
    console.error(`There is no set of models called ${set}; there are: ${Object.keys(modelSets).join(', ')}.`)
    return 2
  }
  const folder = given ?? process.env.PARLEY_MODELS_DIR ?? join(homedir(), '.cache', 'parley-models')
  for (const model of modelSets[set as keyof typeof modelSets]) {
    // `make run` and `make test` ask every time; only missing weights are worth a line.
    if ((set === 'small' || set === 'tests') && (await hasModel(model, folder))) continue
    let drawn = false
    try {
      await fetchModel(model, {
        folder,
        onProgress: (progress) => {
          // A progress bar is for terminals; a log gets one line per model.
          if (!process.stdout.isTTY) return
          draw(progress)
          drawn = true
        },
      })
    } catch (error) {
      console.error(`${drawn ? '\n' : ''}${error instanceof Error ? error.message : error}`)
      return 1
    }
    console.log(`${drawn ? '\n' : ''}${model.name} ${model.version} is in ${folder}`)
  }
  return 0
}

process.exitCode = await main(process.argv.slice(2))
