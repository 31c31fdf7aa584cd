// Checks of an OpenAPI document and of the routes in the hub's sources, as functions, so that tests can plant mistakes.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '@quayside/protocol'
import type { Route } from '@quayside/protocol/schemas'
import type { OpenApi } from '../src/http/openapi.js'

const HTTP_FOLDER = fileURLToPath(new URL('../src/http/', import.meta.url))

export type SourceFile = { readonly file: string; readonly text: string }

export function httpSources(): SourceFile[] {
  return readdirSync(HTTP_FOLDER)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(`${HTTP_FOLDER}${file}`, 'utf8') }))
}

/** `get /api/sessions/{id}` for every route that the sources register, in the notation of the table. */
export function registeredRoutes(sources: readonly SourceFile[]): string[] {
  const mounts = new Map<string, string>()
  for (const { text } of sources)
    for (const [, path = '', routers = ''] of text.matchAll(/\bapp\.use\(\s*'([^']+)',([^\n]*)/g))
      for (const [, name = ''] of routers.matchAll(/(\w+Routes)\(/g)) mounts.set(name, path)
  return sources.flatMap(({ text }) =>
    functionsOf(text).flatMap(({ name, body }) =>
      [...body.matchAll(/\b(app|routes)\.(get|post|put|patch|delete)\(\s*'([^']*)'/g)].map(
        ([, owner, method, path = '']) => {
          const prefix = owner === 'app' ? '' : (mounts.get(name) ?? `(${name} is not mounted) `)
          const whole = `${prefix}${path}`.replace(/(?<=.)\/$/, '')
          return `${method} ${whole.replaceAll(/:(\w+)/g, '{$1}')}`
        },
      ),
    ),
  )
}

/** Registrations that `registeredRoutes` cannot read. The route of the app's pages is not part of the API. */
export function unreadableRoutes(sources: readonly SourceFile[]): string[] {
  const call = /\b(?:app|routes)\.(?:get|post|put|patch|delete|all|route)\(\s*(?!')[^\n]*/g
  const otherName = /\b(?!routes\b)\w+ = (?:express\.)?Router\([^\n]*/g
  return sources
    .flatMap(({ text }) => [...text.matchAll(call), ...text.matchAll(otherName)])
    .map(([line]) => line)
    .filter((line) => !line.startsWith('routes.get(/^\\/(?!api'))
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

/** The functions of a file with their source; the part before the first has no name. */
function functionsOf(text: string): { name: string; body: string }[] {
  const parts = text.split(/^(?:export )?function (\w+)/m)
  const named = [{ name: '', body: parts[0] ?? '' }]
  for (let at = 1; at < parts.length; at += 2)
    named.push({ name: parts[at] ?? '', body: parts[at + 1] ?? '' })
  return named
}
