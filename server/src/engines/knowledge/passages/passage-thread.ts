// The thread that holds the words and vectors of repositories and searches them.
import { parentPort } from 'node:worker_threads'
import type { FromPassages, ToPassages } from './passage-index.ts'
import { PassageTable } from './passage-table.ts'

const main = parentPort as NonNullable<typeof parentPort>
const post = (message: FromPassages) => main.postMessage(message)
const tables = new Map<string, PassageTable>()

main.on('message', (message: ToPassages) => {
  switch (message.type) {
    case 'put': {
      const { repositoryId, dimensions, documents } = message
      const table = tables.get(repositoryId) ?? new PassageTable(dimensions)
      tables.set(repositoryId, table)
      for (const document of documents) table.put(document)
      return post({ type: 'size', repositoryId, bytes: table.bytes })
    }
    case 'remove':
      for (const documentId of message.documentIds) tables.get(message.repositoryId)?.remove(documentId)
      return
    case 'drop':
      return void tables.delete(message.repositoryId)
    case 'find': {
      const { id, repositoryId, ...question } = message
      const found = tables.get(repositoryId)?.find(question) ?? []
      return post({ type: 'found', id, found })
    }
  }
})
