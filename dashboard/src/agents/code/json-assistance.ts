// What makes an editor of JSON know a schema: faults at their place, names and values to complete, and help on hover.
import { type Schema, Validator } from '@cfworker/json-schema'
import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { jsonParseLinter } from '@codemirror/lang-json'
import { syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { EditorState, Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import type { Tree } from '../../ui/forms/tree.ts'
import { descriptionOf, type Place, propertiesAt, schemaAt, valuesAt } from './schema-at.ts'

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>
type Path = (string | number)[]

const draft = '2020-12'

/** `root` is the document of which `schema` is a part. */
export function jsonAssistance(schema: Tree, root: Tree): Extension {
  const place: Place = { schema, root }
  // The schema is part of a whole document, because its references lead to other parts. `false`: all faults are reported,
  // not only the first.
  const validator = new Validator({ ...root, ...schema } as Schema, draft, false)
  return [
    linter((view) => lint(view, validator)),
    autocompletion({ override: [(context) => complete(context, place)] }),
    hoverTooltip((view, at) => {
      const path = pathAt(view.state, syntaxTree(view.state).resolveInner(at, 1))
      const words = descriptionOf(schemaAt(place, path))
      return words ? { pos: at, create: () => ({ dom: tooltip(words) }) } : null
    }),
  ]
}

function tooltip(words: string): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'max-w-md px-2.5 py-1.5 text-[0.8125rem]'
  dom.textContent = words
  return dom
}

function lint(view: EditorView, validator: Validator): Diagnostic[] {
  const broken = jsonParseLinter()(view)
  const text = view.state.doc.toString()
  if (broken.length > 0 || text.trim() === '') return broken
  const { errors } = validator.validate(JSON.parse(text))
  // A fault of an outer object only repeats that something inside is wrong.
  const deepest = errors.filter(
    ({ instanceLocation: here }) =>
      !errors.some(({ instanceLocation: there }) => there.startsWith(`${here}/`)),
  )
  return deepest.map(({ instanceLocation, error }) => {
    const { from, to } = rangeAt(view.state, stepsOf(instanceLocation))
    return { from, to, severity: 'warning', message: error }
  })
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))

const nameOf = (state: EditorState, property: Node): string => {
  const name = property.getChild('PropertyName')
  try {
    return name ? JSON.parse(state.sliceDoc(name.from, name.to)) : ''
  } catch {
    return ''
  }
}

/** The keys and places that lead to a node. */
function pathAt(state: EditorState, node: Node): Path {
  const path: Path = []
  for (let at: Node | null = node; at?.parent; at = at.parent) {
    if (at.name === 'Property') path.unshift(nameOf(state, at))
    else if (at.parent.name === 'Array' && !'[],'.includes(at.name)) path.unshift(before(at))
  }
  return path
}

function before(node: Node): number {
  let count = 0
  for (let at = node.prevSibling; at; at = at.prevSibling) if (!'[],'.includes(at.name)) count++
  return count
}

/** The range of the value at a path, or of the deepest part of the path that exists. */
function rangeAt(state: EditorState, path: readonly string[]): { from: number; to: number } {
  let node: Node | null = syntaxTree(state).topNode.firstChild
  for (const step of path) {
    const inner: Node | undefined =
      node?.name === 'Object'
        ? node.getChildren('Property').find((property) => nameOf(state, property) === step)
        : childrenOf(node)[Number(step)]
    if (!inner) break
    node = inner.name === 'Property' ? (inner.lastChild ?? inner) : inner
  }
  return node ? { from: node.from, to: node.to } : { from: 0, to: 0 }
}

function childrenOf(node: Node | null): Node[] {
  const children: Node[] = []
  for (let at = node?.firstChild ?? null; at; at = at.nextSibling)
    if (!'[],'.includes(at.name)) children.push(at)
  return children
}

function complete({ state, pos, explicit }: CompletionContext, place: Place) {
  const node = syntaxTree(state).resolveInner(pos, -1)
  const isName = node.name === 'PropertyName'
  const isValue = node.parent?.name === 'Property' && !isName
  const holder = isName ? node.parent?.parent : node
  const inObject = isName || node.name === 'Object'
  if (!inObject && !isValue && !explicit) return null
  const path = pathAt(state, inObject ? (holder ?? node) : node)
  const schema = schemaAt(place, path)
  if (!schema) return null
  const word = isName || (isValue && node.name === 'String')
  const options: Completion[] = inObject
    ? propertiesAt(schema).map(({ name, description }) => ({
        label: JSON.stringify(name),
        type: 'property',
        info: description,
        apply: isName ? JSON.stringify(name) : `${JSON.stringify(name)}: `,
      }))
    : valuesAt(schema).map((value) => ({ label: JSON.stringify(value), type: 'enum' }))
  return options.length > 0 ? { from: word ? node.from : pos, to: word ? node.to : pos, options } : null
}
