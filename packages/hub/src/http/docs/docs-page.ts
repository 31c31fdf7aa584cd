// The API as a page to read, made from the OpenAPI document: no script, nothing from elsewhere, its style beside it.
import { bodyOf, fieldRow, nameOf, refLink, typeOf } from './api-types.js'
import { DOCS_STYLE } from './docs-style.js'
import { type Html, html, prose } from '@quayside/protocol'
import { type Route, ROUTES } from '@quayside/protocol/schemas'
import type { Raw } from '../../api/room.js'
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
  return html`<ul>
    ${sections.map(
      ({ name, entries }) =>
        html`<li>
          <a href="#tag-${name}">${name}</a>
          <ul>
            ${entries.map(
              ({ route: { method, operationId, summary } }) =>
                html`<li>
                  <a href="#${operationId}">${methodMark(method)} <span>${prose(summary)}</span></a>
                </li>`,
            )}
          </ul>
        </li>`,
    )}
    <li><a href="#schemas">Schemas</a></li>
  </ul>`
}

function methodMark(method: string): Html {
  return html`<span class="method ${method}">${method}</span>`
}

function sectionPart({ name, description, entries }: Section, schemas: Schemas): Html {
  return html`<section id="tag-${name}">
    <h2>${name}</h2>
    <p>${prose(description)}</p>
    ${entries.map((entry) => operationArticle(entry, schemas))}
  </section>`
}

function operationArticle({ route, operation }: Entry, schemas: Schemas): Html {
  const { method, path, operationId, summary, description, isPublic, scope } = route
  const { parameters = [], requestBody, responses } = operation
  const all = Object.entries(responses)
  const answers = all.filter(([, { 'x-error-codes': codes }]) => codes === undefined)
  const errors = all.filter(([, { 'x-error-codes': codes }]) => codes !== undefined)
  return html`<article id="${operationId}">
    <h3>
      <a href="#${operationId}">${methodMark(method)} <code>${breakable(path)}</code></a>
    </h3>
    <p class="summary">${prose(summary)} · ${isPublic ? 'needs no sign-in' : `needs ${scope}`}</p>
    ${description !== undefined && html`<p>${prose(description)}</p>`}
    ${parametersList('Path', parameters)} ${parametersList('Query', parameters)}
    ${requestBody && html`<h4>Body</h4>`}
    ${requestBody && contentLines(requestBody.content, schemas)}
    <h4>Answers</h4>
    <ul class="answers">
      ${answers.map(
        ([status, { description, content }]) =>
          html`<li>
            <span class="status">${status}</span> ${prose(description)}
            ${content && contentLines(content)}
          </li>`,
      )}
    </ul>
    ${errorsList(errors)}
  </article>`
}

function parametersList(title: 'Path' | 'Query', parameters: readonly Parameter[]) {
  const here = parameters.filter((parameter) => parameter.in === title.toLowerCase())
  if (here.length === 0) return undefined
  return html`<h4>${title}</h4>
    <ul class="fields">
      ${here.map(({ description, schema, ...field }) =>
        fieldRow({ ...field, schema: { ...schema, description } }),
      )}
    </ul>`
}

/**
 * Media types that carry the same share a line. A schema is a link to its fields at the end of the page; those of `shown` have
 * them here, too.
 */
function contentLines(content: MediaTypes, shown: Schemas = {}): Html[] {
  const lines = new Map<string, string[]>()
  for (const [type, { schema }] of Object.entries(content)) {
    const key = JSON.stringify(schema)
    lines.set(key, [...(lines.get(key) ?? []), type])
  }
  return [...lines].map(([key, types]) => {
    const schema = JSON.parse(key) as JsonSchema
    const isBytes = schema['type'] === 'string' || key === '{}'
    return html`<p>
        <span class="media">${types.join(', ')}</span>
        ${!isBytes && html`<span class="type">${typeOf(schema)}</span>`}
      </p>
      ${bodyOf(shown[nameOf(String(schema['$ref']))] ?? schema)}`
  })
}

function errorsList(errors: readonly [status: string, ResponseObject][]): Html {
  return html`<details class="errors">
    <summary>Errors ${errors.map(([status]) => status).join(' ')}</summary>
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
