// The thread that holds the vectors of repositories and searches them.
import { parentPort } from 'node:worker_threads'
import type { FromVectors, ToVectors } from './messages.ts'
import { VectorTable } from './vector-table.ts'

const main = parentPort as NonNullable<typeof parentPort>
const post = (message: FromVectors) => main.postMessage(message)
const tables = new Map<string, VectorTable>()

function put(repositoryId: string, documents: Extract<ToVectors, { type: 'put' }>['documents']): void {
  for (const document of documents) {
    const dimensions = document.vectors.length / document.chunkIds.length
    const table = tables.get(repositoryId) ?? new VectorTable(dimensions)
    tables.set(repositoryId, table)
    table.put(document)
  }
  post({ type: 'size', repositoryId, bytes: tables.get(repositoryId)?.bytes ?? 0 })
}

main.on('message', (message: ToVectors) => {
  switch (message.type) {
    case 'put':
      return put(message.repositoryId, message.documents)
    case 'remove':
      for (const documentId of message.documentIds) tables.get(message.repositoryId)?.remove(documentId)
      return
    case 'drop':
      return void tables.delete(message.repositoryId)
    case 'nearest': {
      const { id, vector, most, wanted } = message
      const found = message.repositoryIds.flatMap(
        (repositoryId) => tables.get(repositoryId)?.nearest(vector, most, wanted) ?? [],
      )
      return post({ type: 'found', id, found })
    }
  }
})
