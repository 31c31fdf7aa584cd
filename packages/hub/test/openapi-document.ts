// Checks of an OpenAPI document and of the routes in the hub's sources, as functions, so that tests can plant mistakes.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '@quayside/protocol'
import type { Route } from '@quayside/protocol/schemas'
import type { OpenApi } from '../src/http/docs/openapi.js'

const HTTP_FOLDER = fileURLToPath(new URL('../src/http/', import.meta.url))

export type SourceFile = { readonly file: string; readonly text: string }

export function httpSources(): SourceFile[] {
  return readdirSync(HTTP_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(`${HTTP_FOLDER}${file}`, 'utf8') }))
}

/** Routes of the page and the reader of the table, which are the only ones in the sources. */
const KNOWN = [
  'raw/page.ts: routes.get(/^\\/(?!api',
  'rest.ts: routes[method](expressPath, ...gatesOf(command, handlers)',
]

/** Registrations of routes outside of the table, which would have neither a scope nor documentation. */
export function routesBesideTheTable(sources: readonly SourceFile[]): string[] {
  const call = /\b(?:app|routes?|router)(?:\.(?:get|post|put|patch|delete|all|route)\(|\[)[^\n]*/g
  return sources
    .flatMap(({ file, text }) => [...text.matchAll(call)].map(([line]) => `${file}: ${line}`))
    .filter((line) => !KNOWN.some((known) => line.startsWith(known)))
}

export function addressOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** The problems of a document; empty for a valid one. */
export function problemsOf(document: OpenApi): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  return [
    ...(/^3\.1\.\d+$/.test(document.openapi) ? [] : ['openapi is not 3.1']),
    ...(document.info.title && document.info.version ? [] : ['info lacks title or version']),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
    ...danglingRefs(document),
    ...operations.flatMap(({ at, operation }) =>
      problemsOfOperation(operation, at, document).map((problem) => `${at}: ${problem}`),
    ),
  ]
}

type Operation = OpenApi['paths'][string][string]

function problemsOfOperation(operation: Operation, at: string, document: OpenApi): string[] {
  const { parameters = [], responses, requestBody, tags } = operation
  const inPath = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  const statuses = Object.keys(responses)
  const known = document.tags.map(({ name }) => name)
  return [
    ...(statuses.some((status) => /^2\d\d$/.test(status)) ? [] : ['has no success']),
    ...statuses.filter((status) => !/^[1-5]\d\d$/.test(status)).map((s) => `${s} is no status`),
    ...(Object.values(responses).every(({ description }) => description) ? [] : ['says nothing']),
    ...(declared.map(({ name }) => name).join() === inPath.join()
      ? []
      : ['path parameters differ']),
    ...(declared.every(({ required }) => required) ? [] : ['a path parameter is optional']),
    ...(requestBody && Object.keys(requestBody.content).length === 0 ? ['its body is empty'] : []),
    ...tags.filter((tag) => !known.includes(tag)).map((tag) => `${tag} is no tag`),
    ...Object.entries(responses).flatMap(([status, { 'x-error-codes': codes = [] }]) =>
      codes
        .filter((code) => ERRORS[code]?.status !== Number(status))
        .map((code) => `${code} is not ${status}`),
    ),
  ]
}

function danglingRefs(document: OpenApi): string[] {
  const { schemas } = document.components
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, ref = '']) => ref,
  )
  return [...new Set(refs)]
    .filter((ref) => schemas[ref.replace('#/components/schemas/', '')] === undefined)
    .map((ref) => `${ref} leads nowhere`)
}
