// The API as a page to read, made from the OpenAPI document: no script, nothing from elsewhere, its style beside it.
import { nameOf } from './api-types.js'
import { bodyOf, fieldRow, refLink, typeOf } from './docs-schema.js'
import { DOCS_STYLE } from './docs-style.js'
import { type Html, html, prose } from '@quayside/protocol'
import { type Route, ROUTES } from '@quayside/protocol/schemas'
import type { Raw } from '../raw/raw.js'
import {
  createOpenApi,
  type Entry,
  type JsonSchema,
  type MediaTypes,
  type OpenApi,
  type Parameter,
  type ResponseObject,
  type Section,
  sectionsOf,
} from './openapi.js'

type Schemas = OpenApi['components']['schemas']
/** The schemas whose fields can be shown; `isOpen` shows them without a click. */
type Look = { readonly schemas: Schemas; readonly isOpen: boolean }

/** The documents are made at the first request. */
export function docs(version: string): Pick<Raw, 'hub/openapi' | 'hub/docs' | 'hub/docs-style'> {
  let made: { readonly json: string; readonly page: string } | undefined
  const documents = () => (made ??= makeDocuments(version))
  return {
    'hub/openapi': (_input, { response }) => void response.type('json').send(documents().json),
    'hub/docs': (_input, { response }) => void response.type('html').send(documents().page),
    'hub/docs-style': (_input, { response }) => void response.type('css').send(DOCS_STYLE),
  }
}

function makeDocuments(version: string): { json: string; page: string } {
  const document = createOpenApi(version)
  return { json: JSON.stringify(document), page: docsPage(document) }
}

export function docsPage(document: OpenApi, routes: readonly Route[] = ROUTES): string {
  const { info, components } = document
  const sections = sectionsOf(document, routes)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} API</title>
        <link rel="stylesheet" href="/api/docs.css" />
      </head>
      <body>
        <nav aria-label="Contents">${contents(sections)}</nav>
        <main>
          <header>
            <h1>${info.title} API <small>${info.version}</small></h1>
            <p>${prose(info.description)}</p>
            <p>
              Sign in with the browser’s cookie, or send a bearer token. The same as data:
              <a href="/api/openapi.json">openapi.json</a>.
            </p>
            <pre><code>${EXAMPLE}</code></pre>
          </header>
          ${sections.map((section) => sectionPart(section, components.schemas))}
          <section id="schemas">
            <h2>Schemas</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<article class="schema" id="schema-${name}">
                  <h3><a href="#schema-${name}">${name}</a></h3>
                  ${bodyOf(schema) ?? html`<p class="type">${typeOf(schema)}</p>`}
                </article>`,
            )}
          </section>
        </main>
      </body>
    </html> `.text
}

const EXAMPLE =
  'curl -H "Authorization: Bearer $QUAYSIDE_TOKEN" "http://localhost:4444/api/sessions?status=active"'

function contents(sections: readonly Section[]): Html {
  return html`<details class="contents">
      <summary>Contents</summary>
      ${contentsList(sections)}
    </details>
    <div class="sidebar">${contentsList(sections)}</div>`
}

function contentsList(sections: readonly Section[]): Html {
  return html`<ul>
    ${sections.map(
      ({ name, entries }) =>
        html`<li>
          <a href="#tag-${name}">${name}</a>
          <ul>
            ${entries.map(
              ({ route: { method, operationId, summary } }) =>
                html`<li>
                  <a href="#${operationId}"
                    ><span class="method ${method}">${method}</span>
                    <span>${prose(summary)}</span></a
                  >
                </li>`,
            )}
          </ul>
        </li>`,
    )}
    <li><a href="#schemas">Schemas</a></li>
  </ul>`
}

function sectionPart({ name, description, entries }: Section, schemas: Schemas): Html {
  return html`<section id="tag-${name}">
    <h2>${name}</h2>
    <p>${prose(description)}</p>
    ${entries.map((entry) => operationArticle(entry, schemas))}
  </section>`
}

function operationArticle({ route, operation }: Entry, schemas: Schemas): Html {
  const { method, path, operationId, summary, description } = route
  const { parameters, requestBody, responses } = operation
  const all = Object.entries(responses)
  return html`<article id="${operationId}">
    <h3>
      <a href="#${operationId}"
        ><span class="method ${method}">${method}</span> <code>${breakable(path)}</code></a
      >
    </h3>
    <p class="summary">${prose(summary)} · ${accessText(route)}</p>
    ${description !== undefined && html`<p>${prose(description)}</p>`}
    ${parametersList('Path', parameters, 'path')} ${parametersList('Query', parameters, 'query')}
    ${requestBody && html`<h4>Body</h4>`}
    ${requestBody && contentBlock(requestBody.content, { schemas, isOpen: true })}
    <h4>Answers</h4>
    <ul class="answers">
      ${all
        .filter(([, { 'x-error-codes': codes }]) => codes === undefined)
        .map((entry) => answerRow(entry, schemas))}
    </ul>
    ${errorsList(all)}
  </article>`
}

function accessText({ isPublic, scope }: Route): string {
  return isPublic ? 'needs no sign-in' : `needs ${scope}`
}

function parametersList(
  title: string,
  parameters: readonly Parameter[] | undefined,
  place: Parameter['in'],
): Html | undefined {
  const here = (parameters ?? []).filter((parameter) => parameter.in === place)
  if (here.length === 0) return undefined
  return html`<h4>${title}</h4>
    <ul class="fields">
      ${here.map(({ description, schema, ...field }) =>
        fieldRow({ ...field, schema: { ...schema, ...(description && { description }) } }),
      )}
    </ul>`
}

/** Media types that carry the same share a line. */
function contentBlock(content: MediaTypes, look: Look): Html {
  const lines = new Map<string, { readonly schema: JsonSchema; readonly types: string[] }>()
  for (const [type, { schema }] of Object.entries(content)) {
    const key = JSON.stringify(schema)
    const line = lines.get(key)
    if (line) line.types.push(type)
    else lines.set(key, { schema, types: [type] })
  }
  return html`${[...lines.values()].map(({ schema, types }) => contentLine(schema, types, look))}`
}

function contentLine(
  schema: JsonSchema,
  types: readonly string[],
  { schemas, isOpen }: Look,
): Html {
  const { $ref, type } = schema
  const media = html`<span class="media">${types.join(', ')}</span>`
  if (typeof $ref !== 'string')
    return html`<p class="content">
      ${media}
      ${type !== 'string' && type !== undefined && html`<span class="type">${typeOf(schema)}</span>`}
    </p>`
  const fields = bodyOf(schemas[nameOf($ref)] ?? {})
  return html`<details class="content" ${isOpen && 'open'}>
    <summary>${media} <span class="type">${typeOf(schema)}</span></summary>
    ${fields}
  </details>`
}

function answerRow([status, { description, content }]: [string, ResponseObject], schemas: Schemas) {
  return html`<li>
    <span class="status">${status}</span> ${prose(description)}
    ${content && contentBlock(content, { schemas, isOpen: false })}
  </li>`
}

function errorsList(responses: readonly [string, ResponseObject][]): Html {
  const errors = responses.filter(([, { 'x-error-codes': codes }]) => codes !== undefined)
  return html`<details class="errors">
    <summary>
      Errors <span class="codes">${errors.map(([status]) => status).join(' ')}</span>
    </summary>
    <ul class="answers">
      ${errors.flatMap(([status, { description }]) =>
        description
          .split('\n')
          .map((line) => html`<li><span class="status">${status}</span> ${prose(line)}</li>`),
      )}
    </ul>
    <p>Each is an ${refLink('ErrorBody')}.</p>
  </details>`
}

/** Long paths may break after a slash. */
function breakable(path: string): Html[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}
