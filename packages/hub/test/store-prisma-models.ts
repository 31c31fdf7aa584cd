// Reads the parts of prisma/schema.prisma that the comparison with the database needs.

export interface ModelField {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isId: boolean
  readonly hasDefault: boolean
}

export interface ModelIndex {
  readonly columns: readonly string[]
  readonly isUnique: boolean
}

export interface ModelRelation {
  readonly from: string
  readonly to: string
  readonly table: string
  readonly onDelete: string
}

export interface Model {
  readonly name: string
  readonly fields: readonly ModelField[]
  readonly indexes: readonly ModelIndex[]
  readonly relations: readonly ModelRelation[]
}

export function parseModels(schema: string): Model[] {
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)]
  const names = new Set(models.map(([, name]) => name))
  return models.map(([, name = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.trim())
    const fields = lines.filter((line) => /^\w/.test(line))
    return {
      name,
      fields: fields.map(parseField).filter((field) => !names.has(field.type)),
      indexes: [...lines.flatMap(parseIndex), ...fields.flatMap(parseUniqueField)],
      relations: fields.flatMap(parseRelation),
    }
  })
}

function parseField(line: string): ModelField {
  const [, name = '', type = '', mark = ''] = /^(\w+)\s+(\w+)(\?|\[\])?/.exec(line) ?? []
  return {
    name,
    type,
    isNullable: mark === '?',
    isId: /@id\b/.test(line),
    hasDefault: /@default\((?!autoincrement)/.test(line),
  }
}

function parseIndex(line: string): ModelIndex[] {
  const match = /^@@(index|unique)\(\[(.+?)\]/.exec(line)
  if (match === null) return []
  return [{ columns: (match[2] ?? '').split(', '), isUnique: match[1] === 'unique' }]
}

function parseUniqueField(line: string): ModelIndex[] {
  return /\s@unique\b/.test(line) ? [{ columns: [parseField(line).name], isUnique: true }] : []
}

function parseRelation(line: string): ModelRelation[] {
  const match = /fields: \[(\w+)\], references: \[(\w+)\], onDelete: (\w+)/.exec(line)
  if (match === null) return []
  const [, from = '', to = '', onDelete = ''] = match
  return [{ from, to, table: parseField(line).type, onDelete: onDelete.toUpperCase() }]
}
