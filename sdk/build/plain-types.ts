// Writes types that are derived from schemas as plain TypeScript: `z.infer<…>` becomes the object that it stands for.
import ts from 'typescript'

const { ObjectFlags, SymbolFlags, TypeFlags } = ts

// The types that are printed by name.
const simple =
  TypeFlags.Any |
  TypeFlags.Unknown |
  TypeFlags.Never |
  TypeFlags.StringLike |
  TypeFlags.NumberLike |
  TypeFlags.BooleanLike |
  TypeFlags.Undefined |
  TypeFlags.Null

/** The exported types of a module, as the text of a module that imports nothing. */
export function plainTypes(checker: ts.TypeChecker, module: ts.SourceFile): string {
  const symbol = checker.getSymbolAtLocation(module)
  if (!symbol) throw new Error(`${module.fileName} exports nothing.`)
  const exported = checker.getExportsOfModule(symbol).map((each) => ({
    name: each.name,
    type: checker.getDeclaredTypeOfSymbol(
      each.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each,
    ),
  }))
  // Nested types are printed by name if they have one. Simple ones are written out, which reads better.
  const names = new Map(
    exported.filter(({ type }) => !(type.flags & simple)).map(({ name, type }) => [type, name]),
  )
  return exported
    .map(({ name, type }) => {
      const printer = new Printer(checker, new Map([...names].filter(([, other]) => other !== name)))
      return `export type ${name} = ${printer.print(type)}\n`
    })
    .join('\n')
}

class Printer {
  readonly #checker: ts.TypeChecker
  readonly #names: ReadonlyMap<ts.Type, string>
  readonly #open: ts.Type[] = []

  constructor(checker: ts.TypeChecker, names: ReadonlyMap<ts.Type, string>) {
    this.#checker = checker
    this.#names = names
  }

  print(type: ts.Type): string {
    const name = this.#names.get(type)
    if (name) return name
    if (type.flags & simple) return this.#checker.typeToString(type)
    if (type.isUnion()) return this.#union(type)
    if (type.isIntersection()) return type.types.map((each) => this.print(each)).join(' & ')
    if (this.#open.includes(type)) throw new Error('A type that contains itself needs a name.')
    this.#open.push(type)
    const text = this.#object(type)
    this.#open.pop()
    return text
  }

  #union({ types }: ts.UnionType): string {
    const parts = new Set(types.map((each) => this.print(each)))
    if (parts.has('true') && parts.delete('false')) {
      parts.delete('true')
      parts.add('boolean')
    }
    // `undefined` and `null` are printed last, which reads better.
    for (const last of ['null', 'undefined']) if (parts.delete(last)) parts.add(last)
    return [...parts].join(' | ')
  }

  #object(type: ts.Type): string {
    if (this.#checker.isTupleType(type))
      return `[${this.#argumentsOf(type)
        .map((each) => this.print(each))
        .join(', ')}]`
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#argumentsOf(type)
      return `Array<${item ? this.print(item) : 'unknown'}>`
    }
    if (!(type.flags & (TypeFlags.Object | TypeFlags.NonPrimitive)) || type.getCallSignatures().length > 0)
      throw new Error(`${this.#checker.typeToString(type)} is not a type of JSON.`)
    const members = [...this.#indexes(type), ...type.getProperties().map((each) => this.#property(each))]
    return members.length > 0 ? `{\n${members.join('\n')}\n}` : 'Record<string, never>'
  }

  #argumentsOf(type: ts.Type): readonly ts.Type[] {
    const { objectFlags } = type as ts.ObjectType
    return objectFlags & ObjectFlags.Reference ? this.#checker.getTypeArguments(type as ts.TypeReference) : []
  }

  #indexes(type: ts.Type): string[] {
    return this.#checker
      .getIndexInfosOfType(type)
      .map(({ keyType, type }) => `[key: ${this.print(keyType)}]: ${this.print(type)}`)
  }

  #property(property: ts.Symbol): string {
    const comment = ts.displayPartsToString(property.getDocumentationComment(this.#checker))
    const optional = property.flags & SymbolFlags.Optional ? '?' : ''
    const key = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name)
    const type = this.print(this.#checker.getTypeOfSymbol(property))
    return `${comment && `/** ${comment} */\n`}${key}${optional}: ${type}`
  }
}
