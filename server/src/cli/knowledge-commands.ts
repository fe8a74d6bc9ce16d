// `parley knowledge …`: repositories and their documents, with the same rules as the API.
import { basename } from 'node:path'
import { createRepository, Id, type KnowledgeDocument, NewDocument, searchRepository } from '@parley/contract'
import type { Command } from 'commander'
import { Failure } from '../http/failure.ts'
import { committed } from '../http/work.ts'
import { knowledgeEngines } from '../main/knowledge-engines.ts'
import type { Db } from '../platform/db/db.ts'
import { Refusal } from '../platform/refusal.ts'
import {
  documentOf,
  type KnowledgeBase,
  knowledgeBase,
  type ReceivedDocument,
} from '../resources/knowledge-base/knowledge-base.ts'
import { openKnowledge } from '../resources/knowledge-base/work.ts'
import { filesBelow, readGiven, statGiven } from './given-path.ts'
import { whyRefused } from './run-with-infrastructure.ts'
import type { Shell } from './shell.ts'
import { everyPage, type InWorkspace, inWorkspace } from './workspace-option.ts'

export default function addKnowledgeCommands(
  knowledge: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const id = (text: string) => checked(Id, text)
  const command = (name: string) => inWorkspace(knowledge.command(name), 'whose repositories')
  const repository = '<repository-id>'
  /** Runs with the rules of repositories, and closes what was opened for them. */
  const withRules = (run: (rules: KnowledgeBase, db: Db) => Promise<unknown>) =>
    withInfrastructure(async (infrastructure) => {
      const { db } = infrastructure
      await using knowledge = new AsyncDisposableStack()
      const parts = knowledge.adopt(openKnowledge(infrastructure, knowledgeEngines), (it) => it.close())
      return await run(knowledgeBase({ db, ...parts }), db)
    })

  command('list').action(({ workspace }: InWorkspace) =>
    withRules(async (rules) => {
      const { data } = await rules.list(workspace, { page: 1, limit: 100 })
      return data.map(({ document_counts: counts, ...row }) => ({ ...row, ...counts }))
    }),
  )
  command('create')
    .argument('<name>')
    .option('--language <code>', 'of its documents', 'en')
    .action((name: string, { workspace, language }: InWorkspace & { language: string }) =>
      withRules((rules, db) => {
        const wish = checked(createRepository.body, { name, language })
        return committed(db, (work) => rules.create(workspace, wish, work))
      }),
    )
  command('add')
    .description('adds files, all files of a folder, or addresses; the running service indexes them')
    .argument(repository, '', id)
    .argument('<file|folder|url...>')
    .action((repositoryId: string, named: string[], { workspace }: InWorkspace) =>
      withRules(async (rules, db) => {
        const rows: object[] = []
        for (const path of await filesOf(named)) rows.push(await addOne(path))
        return rows

        async function addOne(path: string): Promise<object> {
          try {
            const received = await receivedFrom(path, (body) => checked(NewDocument, body))
            const added = await committed(db, (work) =>
              rules.addDocument(workspace, repositoryId, received, work),
            )
            return { file: path, ...brief(added) }
          } catch (error) {
            // One file of a folder that cannot be read does not keep the others out.
            const why = faultOf(error)
            if (why === undefined) throw error
            terminal.exitCode = 1
            return { file: path, status: 'refused', error: why }
          }
        }
      }),
    )
  command('status')
    .description('the documents of a repository and how far each is')
    .argument(repository, '', id)
    .action((repositoryId: string, { workspace }: InWorkspace) =>
      withRules(async (rules) => {
        const all = await everyPage((page) => rules.documents(workspace, repositoryId, undefined, page))
        return all.map(brief)
      }),
    )
  command('search')
    .argument(repository, '', id)
    .argument('<words...>')
    .option('--top <n>', 'how many passages', '5')
    .action((repositoryId: string, words: string[], { workspace, top }: InWorkspace & { top: string }) =>
      withRules((rules) => {
        const question = checked(searchRepository.body, { query: words.join(' '), top_k: Number(top) })
        return rules.search(workspace, repositoryId, question)
      }),
    )
  command('remove')
    .description('deletes a repository, or one of its documents')
    .argument(repository, '', id)
    .argument('[document-id]', '', id)
    .action((repositoryId: string, documentId: string | undefined, { workspace }: InWorkspace) =>
      withRules(async (rules) =>
        documentId
          ? rules.removeDocument(workspace, repositoryId, documentId)
          : rules.remove(workspace, repositoryId),
      ),
    )
}

/** Returns undefined for an error that is not about the file. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.message
  return error instanceof Failure && error.status !== 404 ? whyRefused(error) : undefined
}

const isUrl = (named: string): boolean => /^https?:\/\//.test(named)

/** Folders are read with what is in them; hidden files are left out. */
async function filesOf(named: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of named) {
    if (isUrl(path) || !(await statGiven(path)).isDirectory()) found.push(path)
    else found.push(...(await someBelow(path)))
  }
  return found
}

async function someBelow(folder: string): Promise<string[]> {
  const files = await filesBelow(folder)
  if (files.length > 0) return files
  throw new Refusal(`Nothing was added: ${folder} has no files, other than hidden ones.`)
}

const receivedFrom = async (
  path: string,
  check: (body: NewDocument) => NewDocument,
): Promise<ReceivedDocument> =>
  isUrl(path)
    ? documentOf(check({ url: path }))
    : { of: 'file', title: null, filename: basename(path), content: await readGiven(path) }

/** The fields that fit into a line of a table. */
const brief = ({ document_id, title, status, progress, chunk_count, error }: KnowledgeDocument) => ({
  document_id,
  title,
  status,
  chunk_count,
  error,
  progress: progress.total === null ? progress.done : `${progress.done} of ${progress.total}`,
})
