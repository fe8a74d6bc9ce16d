// Every setting is used: each field of the configuration is read by a module other than the one that defines it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { readIfThere } from '../../test/support/read-if-there.ts'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'

const sourceFolder = fileURLToPath(new URL('../', import.meta.url))
const configFile = fileURLToPath(new URL('./config.ts', import.meta.url))

/**
 * Fields read in a module, found by syntax alone, which takes a tenth of the type checker's time: `config.x`,
 * `infrastructure.config.x`, `{ x } = config` and `({ x }: Config)`, also where the type is derived from Config or
 * picks fields of it.
 */
function fieldsReadIn(text: string): ReadonlySet<string> {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true)
  const fields = new Set<string>()
  const structural = [...text.matchAll(/^(?:export )?interface (\w*(?:Settings|Options|Config)) \{/gm)]
  const isConfigType = new RegExp(
    `\\b(Config|${structural.map(([, name]) => name).join('|') || 'Config'})\\b`,
  )
  const configNames = new Set(['config'])
  const visit = (node: ts.Node): void => {
    if (ts.isParameter(node) && node.type && isConfigType.test(node.type.getText())) {
      if (ts.isIdentifier(node.name)) configNames.add(node.name.text)
    }
    if (ts.isPropertyAccessExpression(node) && isConfig(node.expression)) fields.add(node.name.text)
    if (ts.isObjectBindingPattern(node) && bindsConfig(node)) {
      for (const { propertyName, name } of node.elements) fields.add((propertyName ?? name).getText())
    }
    ts.forEachChild(node, visit)
  }
  const isConfig = (expression: ts.Expression): boolean =>
    configNames.has(expression.getText().split('.').at(-1)?.replace('#', '') ?? '')
  const bindsConfig = ({ parent }: ts.ObjectBindingPattern): boolean => {
    if (ts.isBindingElement(parent)) return parent.propertyName?.getText() === 'config'
    const { type, initializer } = parent
    return (type && isConfigType.test(type.getText())) || (initializer !== undefined && isConfig(initializer))
  }
  visit(source)
  return fields
}

it('every field of the configuration is read somewhere', () => {
  const modules = ts.sys
    .readDirectory(sourceFolder, ['.ts'])
    .filter((file) => !file.endsWith('.test.ts') && file !== configFile)
  const read = modules.map((file) => String(readIfThere(file) ?? '')).filter((text) => /config/i.test(text))
  const fields = new Set(read.flatMap((text) => [...fieldsReadIn(text)]))
  expect(Object.keys(readConfig({})).filter((name) => !fields.has(name))).toEqual([])
})

it('every setting goes into the configuration', () => {
  const text = readFileSync(configFile, 'utf8')
  const isOfCompany = (name: string) =>
    Object.values(readConfig({ [name]: 'secret' }).vendorAccounts).some(({ credentials }) =>
      Object.values(credentials).includes('secret'),
    )
  const unused = Object.keys(settings).filter((name) => !text.includes(`values.${name}`))
  expect(unused.filter((name) => !isOfCompany(name))).toEqual([])
})

it.each([
  ['run(config.port)', ['port']],
  ['this.#config.port + infrastructure.config.host', ['port', 'host']],
  ['const { port, host: name } = config', ['port', 'host']],
  ['const open = ({ port }: Pick<Config, "port">, other: Other) => other.host', ['port']],
  ['const open = (options: Config) => options.port', ['port']],
  ['const { config: { port } } = infrastructure', ['port']],
  ['const port = 1; other.port; const { host } = server', []],
])('%s reads %j', (text, fields) => {
  expect([...fieldsReadIn(text)].filter((name) => name === 'port' || name === 'host')).toEqual(fields)
})
