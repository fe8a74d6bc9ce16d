// An editor of JSON that knows a schema. It is loaded when it is first shown, because it is larger than all other pages together.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { Tree } from '../../ui/forms/tree.ts'
import { jsonAssistance } from './json-assistance.ts'

interface CodeEditorProps {
  label: string
  /** The text that the editor begins with; later changes of this property are not shown. */
  start: string
  /** Undefined until it is loaded. */
  schema: { readonly schema: Tree; readonly root: Tree } | undefined
  isReadOnly?: boolean
  onChange(text: string): void
}

const looks = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--font-mono, ui-monospace, monospace)', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--rail)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  // The editor is as high as its text: only the page scrolls, and the keyboard needs to reach no region inside it first.
  '.cm-scroller': { minHeight: '24rem', overflow: 'visible' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--edge)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: '#fff' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--hover)',
    color: 'var(--muted)',
    borderColor: 'var(--edge)',
  },
})

// The colours are CSS variables, so that they follow the light and the dark scheme.
const highlighting = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--accent-ink)' },
    { tag: tags.string, color: 'var(--good)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
  ]),
)

export default function CodeEditor({ label, start, schema, isReadOnly = false, onChange }: CodeEditorProps) {
  const holder = useRef<HTMLDivElement>(null)
  const assistance = useRef(new Compartment())
  const view = useRef<EditorView | null>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is made once; from then on it holds its text itself
  useEffect(() => {
    const made = new EditorView({
      ...(holder.current && { parent: holder.current }),
      state: EditorState.create({
        doc: start,
        extensions: [
          ...[lineNumbers(), foldGutter(), history(), bracketMatching(), lintGutter(), json()],
          ...[looks, highlighting, EditorView.lineWrapping, EditorState.tabSize.of(2)],
          // The Tab key is left to the browser: people who use the keyboard alone could not leave the editor otherwise.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          // A read-only text can still be focused, selected and copied.
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-readonly': String(isReadOnly),
            spellcheck: 'false',
          }),
          EditorView.updateListener.of(
            (update) => update.docChanged && latest.current(update.state.doc.toString()),
          ),
          assistance.current.of([]),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const extension = schema ? jsonAssistance(schema.schema, schema.root) : []
    view.current?.dispatch({ effects: assistance.current.reconfigure(extension) })
  }, [schema])

  return <div ref={holder} className="overflow-hidden rounded-md border border-edge shadow-card" />
}
